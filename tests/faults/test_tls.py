"""Certificates that prove nothing, and handshakes that break or never end (rows T)."""

import ssl
from collections.abc import Callable

import pytest
from support.behaviours import answer, response
from support.fetching import DEADLINE, LATEST, OK, Guard
from support.server import Behaviour, Connection, Serve
from support.tls import Authority, MemoryTls, only, self_signed, unknown_authority

from safefetch_cli.net.budget import Budget

HOST = "site.example"
Contexts = Callable[[Authority], ssl.SSLContext]

CERTIFICATES: dict[str, tuple[Contexts, str, str]] = {
    # The server's context, the host of the URL, the outcome.
    "T1-other-name": (lambda ca: ca.context("other.example"), HOST, "not valid for"),
    "T2-unknown-authority": (lambda _: unknown_authority(HOST), HOST, "local issuer"),
    "T2-self-signed": (lambda _: self_signed(HOST), HOST, "signed certificate"),
    "T3-expired": (lambda ca: ca.expired(HOST), HOST, "expired"),
    "T3-not-yet-valid": (lambda ca: ca.early(HOST), HOST, "not yet valid"),
    "T4-address-not-named": (lambda ca: ca.context(HOST), "127.0.0.1", "IP address mismatch"),
}


@pytest.mark.parametrize(("context", "host", "words"), CERTIFICATES.values(), ids=CERTIFICATES)
def test_a_certificate_that_is_not_trusted(
    serve: Serve, guard: Guard, authority: Authority, context: Contexts, host: str, words: str
) -> None:
    server = serve(answer(response()), tls=context(authority))
    attempt = guard().fetch(server.url(host=host))
    server.stop()
    assert (attempt.code, server.requests) == ("CONNECTION_FAILED", [])
    assert attempt.error is not None
    assert not attempt.error.retryable
    assert words in attempt.error.message


def test_t4_an_address_that_the_certificate_names(
    serve: Serve, guard: Guard, authority: Authority
) -> None:
    server = serve(answer(response()), tls=authority.context("127.0.0.1"))
    attempt = guard().fetch(server.url())
    assert (attempt.code, attempt.body, server.names) == (OK, b"ok", [None])


@pytest.mark.parametrize(
    ("version", "code"),
    [
        pytest.param(ssl.TLSVersion.TLSv1_1, "CONNECTION_FAILED", id="T5"),
        pytest.param(ssl.TLSVersion.TLSv1_2, OK, id="T6-1.2"),
        pytest.param(ssl.TLSVersion.TLSv1_3, OK, id="T6-1.3"),
    ],
)
def test_a_server_of_one_tls_version(
    serve: Serve, guard: Guard, authority: Authority, version: ssl.TLSVersion, code: str
) -> None:
    server = serve(answer(response()), tls=only(authority.context(HOST), version))
    attempt = guard().fetch(server.url(host=HOST))
    server.stop()
    assert (attempt.code, len(server.requests)) == (code, 1 if code == OK else 0)


def hello_then(*parts: bytes, reset: bool = False) -> Behaviour:
    """Take the ClientHello, send this, and close."""

    def behave(connection: Connection) -> None:
        connection.sock.recv(65536)
        connection.send(*parts)
        if reset:
            connection.reset()

    return behave


BROKEN_HANDSHAKES = {
    "T7-plain-http": hello_then(response(b"plain", status=b"400 Bad Request")),
    "T10-fin": hello_then(),
    "T10-rst": hello_then(reset=True),
    "T10-half-a-record": hello_then(b"\x16\x03\x03\x00\x7a\x02\x00\x00\x76\x03\x03"),
}


@pytest.mark.parametrize("behave", BROKEN_HANDSHAKES.values(), ids=BROKEN_HANDSHAKES)
def test_a_handshake_that_breaks(serve: Serve, guard: Guard, behave: Behaviour) -> None:
    server = serve(behave)
    attempt = guard().fetch(f"https://{HOST}:{server.port}/")
    server.stop()
    assert (attempt.code, server.connections) == ("CONNECTION_FAILED", 1)
    assert attempt.seconds < 1.0


def over_memory(context: ssl.SSLContext, dripping: bool) -> Behaviour:
    """Shake hands, each flight sent at once or byte by byte; then say nothing."""

    def behave(connection: Connection) -> None:
        server, done = MemoryTls(context), False
        while not done:
            server.take(connection.sock.recv(65536))
            done, data = server.handshake()
            if dripping:
                connection.drip(data)
            else:
                connection.send(data)
        connection.pause()

    return behave


@pytest.mark.parametrize("case", ["T8", "T9"])
def test_a_handshake_that_does_not_end(
    serve: Serve, guard: Guard, authority: Authority, case: str
) -> None:
    silent: Behaviour = Connection.pause
    drip = over_memory(authority.context(HOST), dripping=True)
    server = serve(silent if case == "T8" else drip)
    attempt = guard().fetch(f"https://{HOST}:{server.port}/", seconds=DEADLINE)
    assert attempt.code == "TIMEOUT"
    assert DEADLINE <= attempt.seconds < LATEST


def ticket_flood(authority: Authority) -> Behaviour:
    """Thousands of session tickets after the handshake, sent as fast as the client takes them."""
    context = only(authority.context(HOST), ssl.TLSVersion.TLSv1_3)
    context.num_tickets = 20_000
    return over_memory(context, dripping=False)


def test_t11_a_flood_of_tickets_ends_at_the_deadline(
    serve: Serve, guard: Guard, authority: Authority
) -> None:
    server = serve(ticket_flood(authority))
    attempt = guard().fetch(f"https://{HOST}:{server.port}/", seconds=DEADLINE)
    assert attempt.code == "TIMEOUT"  # the tickets are fewer bytes than a page may have
    assert DEADLINE <= attempt.seconds < LATEST


def test_t11_a_flood_of_tickets_is_counted(
    serve: Serve, guard: Guard, authority: Authority
) -> None:
    server = serve(ticket_flood(authority))
    budget = Budget(5.0, wire_bytes=100_000)
    attempt = guard().fetch(f"https://{HOST}:{server.port}/", budget=budget)
    assert attempt.code == "PROCESSING_LIMIT"


def test_t12_garbage_after_the_handshake(serve: Serve, guard: Guard, authority: Authority) -> None:
    def behave(connection: Connection) -> None:
        connection.request()
        connection.send_raw(b"\x17\x03\x03\x00\x20" + b"garbage!" * 4)
        connection.pause()

    server = serve(behave, tls=authority.context(HOST))
    attempt = guard().fetch(server.url(host=HOST))
    assert attempt.code == "CONNECTION_FAILED"
    assert attempt.seconds < 1.0


def close_with_notice(connection: Connection) -> None:
    connection.request()
    connection.send(response(b"whole", length=False))
    connection.tls.unwrap()


@pytest.mark.parametrize(
    ("behave", "complete"),
    [
        pytest.param(answer(response(b"whole", length=False)), False, id="T13"),
        pytest.param(close_with_notice, True, id="T13-with-close-notify"),
        pytest.param(answer(response(b"whole")), True, id="T13-with-length"),
    ],
)
def test_t13_the_end_of_a_body_that_only_closing_tells(
    serve: Serve, guard: Guard, authority: Authority, behave: Behaviour, complete: bool
) -> None:
    server = serve(behave, tls=authority.context(HOST))
    attempt = guard().fetch(server.url(host=HOST))
    assert (attempt.code, attempt.body) == (OK, b"whole")
    assert attempt.response.complete is complete
    assert attempt.response.hops[0].address == "127.0.0.1"


NAMES = {
    # Host in the URL: SNI, Host field without the port, name that is looked up.
    "T14-plain": ("Site.EXAMPLE", "site.example", "site.example", "site.example"),
    "T14-root-dot": ("site.example.", "site.example", "site.example", "site.example."),
    "T14-idna": ("b\u00fccher.example", *["xn--bcher-kva.example"] * 3),
}


@pytest.mark.parametrize(("host", "sni", "field", "looked_up"), NAMES.values(), ids=NAMES)
def test_t14_the_names_that_a_server_sees(
    serve: Serve,
    guard: Guard,
    authority: Authority,
    host: str,
    sni: str,
    field: str,
    looked_up: str,
) -> None:
    server = serve(answer(response()), tls=authority.context(sni))
    guarded = guard()
    attempt = guarded.fetch(server.url(host=host))
    assert attempt.code == OK
    assert server.names == [sni]
    assert server.requests[0].fields["host"] == f"{field}:{server.port}"
    assert guarded.names.asked == [looked_up]
