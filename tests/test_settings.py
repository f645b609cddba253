"""Settings: flag, then variable, then default; what cannot be used stops the program."""

from typing import Any, get_type_hints

import pytest

import safefetch_cli
from safefetch_cli.errors import InvalidInput
from safefetch_cli.models import Limits
from safefetch_cli.settings import (
    TABLE,
    Options,
    Settings,
    flag_name,
    from_keywords,
    load,
    seconds_to_ms,
)

DEFAULTS = {
    "allow_local": False,
    "allow": (),
    "fake_ip": (),
    "allowlist": (),
    "denylist": (),
    "allowed_ports": (),
    "https_only": False,
    "allow_https_downgrade": False,
    "max_bytes": 5_000_000,
    "timeout_ms": 10_000,
    "max_redirects": 5,
}


def test_the_defaults() -> None:
    settings = load({}, {})
    assert {name: getattr(settings, name) for name in DEFAULTS} == DEFAULTS
    assert settings.user_agent.startswith(f"safefetch/{safefetch_cli.__version__} (+https://")
    assert settings.ca_file == ""
    assert settings == from_keywords({}) == Settings()


def test_every_setting_has_a_row_a_keyword_and_a_variable() -> None:
    names = [row.field for row in TABLE]
    assert set(names) == set(get_type_hints(Settings)) - {"labels"}
    assert names == list(get_type_hints(Options))
    assert [row.variable for row in TABLE] == [f"SAFE_FETCH_{name.upper()}" for name in names]
    assert all(row.meaning for row in TABLE)


def test_the_limits_of_an_operation_come_from_the_settings() -> None:
    settings = from_keywords({"timeout_ms": 1500, "max_bytes": 10, "max_redirects": 0})
    assert settings.limits == Limits(seconds=1.5, max_bytes=10, max_redirects=0)


@pytest.mark.parametrize(
    ("field", "text", "value"),
    [
        ("allow_local", "true", True),
        ("allow_local", " YES ", True),
        ("allow_local", "1", True),
        ("allow_local", "on", True),
        ("allow_local", "false", False),
        ("allow_local", "No", False),
        ("allow_local", "0", False),
        ("allow_local", "off", False),
        ("allow", "10.0.0.1, 10.0.0.2\n[::1]:80", ("10.0.0.1", "10.0.0.2", "[::1]:80")),
        ("fake_ip", "198.18.0.0/15", ("198.18.0.0/15",)),
        ("allowlist", "a.example,*.b.example", ("a.example", "*.b.example")),
        ("denylist", ",, a.example ,", ("a.example",)),
        ("allowed_ports", "80 443,8080", (80, 443, 8080)),
        ("allowed_ports", "any", ()),
        ("allowed_ports", "ANY", ()),
        ("https_only", "true", True),
        ("allow_https_downgrade", "true", True),
        ("max_bytes", "1", 1),
        ("max_bytes", "1000000000", 1_000_000_000),
        ("max_bytes", "64k", 65_536),
        ("max_bytes", "2M", 2_097_152),
        ("timeout_ms", "1", 1),
        ("timeout_ms", "600000", 600_000),
        ("max_redirects", "0", 0),
        ("max_redirects", "20", 20),
        ("user_agent", "  me/1 (x)  ", "me/1 (x)"),
        ("user_agent", "x" * 512, "x" * 512),
        ("ca_file", __file__, __file__),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_a_variable_is_read(field: str, text: str, value: object) -> None:
    variable = f"SAFE_FETCH_{field.upper()}"
    settings = load({}, {variable: text})
    assert getattr(settings, field) == value
    assert settings.labels == {field: variable}


@pytest.mark.parametrize(
    ("field", "text", "rule"),
    [
        ("allow_local", "maybe", "true or false"),
        ("allowed_ports", "80,,x", "1 to 65535"),
        ("allowed_ports", "0", "1 to 65535"),
        ("allowed_ports", "65536", "1 to 65535"),
        ("max_bytes", "0", "1 to 1000000000"),
        ("max_bytes", "1000000001", "1 to 1000000000"),
        ("max_bytes", "1g", "1 to 1000000000"),
        ("max_bytes", "k", "1 to 1000000000"),
        ("max_bytes", "1e3", "1 to 1000000000"),
        ("max_bytes", "9" * 5000, "1 to 1000000000"),
        ("timeout_ms", "0", "1 to 600000"),
        ("timeout_ms", "600001", "1 to 600000"),
        ("timeout_ms", "1_000", "1 to 600000"),
        ("timeout_ms", "\u0665", "1 to 600000"),
        ("timeout_ms", "9" * 5000, "1 to 600000"),
        ("max_redirects", "21", "0 to 20"),
        ("max_redirects", "-1", "0 to 20"),
        ("user_agent", "a\nb", "printable ASCII"),
        ("user_agent", "x" * 513, "1 to 512"),
        ("user_agent", "\u00fc", "ASCII"),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_a_bad_value_is_refused_under_the_name_it_came_by(field: str, text: str, rule: str) -> None:
    variable = f"SAFE_FETCH_{field.upper()}"
    sources: list[tuple[str, Any, dict[str, str]]] = [
        (variable, {}, {variable: text}),
        (flag_name(field), {field: text}, {variable: text}),
    ]
    for label, given, environment in sources:
        with pytest.raises(InvalidInput) as caught:
            load(given, environment)
        assert caught.value.message.startswith(f"{label}: ")
        assert rule in caught.value.message
    with pytest.raises(InvalidInput) as caught:
        from_keywords({field: text})
    assert caught.value.message.startswith(f"{field}: ")


def test_a_flag_wins_over_its_variable_and_that_over_the_default() -> None:
    environment = {"SAFE_FETCH_MAX_REDIRECTS": "3", "SAFE_FETCH_MAX_BYTES": "7"}
    settings = load({"max_redirects": "0", "max_bytes": None}, environment)
    assert (settings.max_redirects, settings.max_bytes, settings.timeout_ms) == (0, 7, 10_000)
    assert settings.labels == {
        "max_redirects": "--max-redirects",
        "max_bytes": "SAFE_FETCH_MAX_BYTES",
    }


def test_a_flag_can_take_back_what_a_variable_opened() -> None:
    environment = {"SAFE_FETCH_ALLOW_LOCAL": "true"}
    assert load({"allow_local": None}, environment).allow_local is True
    assert load({"allow_local": False}, environment).allow_local is False


def test_a_repeated_flag_is_one_list_in_place_of_the_variable() -> None:
    environment = {"SAFE_FETCH_ALLOW": "10.0.0.9"}
    assert load({"allow": ["10.0.0.1", "10.0.0.2,::1"]}, environment).allow == (
        *("10.0.0.1", "10.0.0.2", "::1"),
    )
    assert load({"allow": []}, environment).allow == ("10.0.0.9",)


def test_an_empty_variable_counts_as_not_set() -> None:
    assert load({}, {row.variable: " \t" for row in TABLE}) == Settings()


def test_other_variables_mean_nothing() -> None:
    environment = {"SAFE_FETCH_NOTHING": "x", "ALLOW_LOCAL": "true", "safe_fetch_allow": "10.0.0.1"}
    assert load({}, environment) == Settings()


def test_keywords_take_values_of_their_own_types() -> None:
    settings = from_keywords(
        {"allow_local": True, "allowed_ports": [80, 443], "max_bytes": 5, "allow": ["::1"]}
    )
    assert settings.allow_local is True
    assert settings.allowed_ports == (80, 443)
    assert (settings.max_bytes, settings.allow) == (5, ("::1",))


def test_an_unknown_keyword_is_a_mistake_of_the_program() -> None:
    with pytest.raises(TypeError, match="nothing, other"):
        from_keywords({"other": 1, "nothing": 2, "max_bytes": 3})


@pytest.mark.parametrize(
    ("text", "milliseconds"),
    [("10", 10_000), ("0.5", 500), (".001", 1), ("600", 600_000)],
)
def test_seconds_become_milliseconds(text: str, milliseconds: int) -> None:
    assert seconds_to_ms(text) == milliseconds


@pytest.mark.parametrize(
    "text", ["0", "0.0001", "600.001", "-1", "nan", "inf", "", "1s", "1e2", "1_0", "٥", "1.2.3"]
)
def test_seconds_out_of_range_are_refused(text: str) -> None:
    with pytest.raises(InvalidInput, match=r"^--timeout: .* 0\.001 to 600$"):
        seconds_to_ms(text)
