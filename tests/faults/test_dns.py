"""Name servers that fail, hang, lie or change their mind (rows D)."""

import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from support.behaviours import answer, by_target, redirect, response
from support.fetching import DEADLINE, LATEST, Attempt, Guard, Names
from support.server import MAX_SECONDS, Serve, closed_port

AF_UNIX_ANSWER = (socket.AF_UNIX, socket.SOCK_STREAM, 0, "", "/run/socket")
NO_ADDRESS = {
    "D1-no-such-name": socket.gaierror(socket.EAI_NONAME, "Name or service not known"),
    "D3-nothing": [],
    "D3-af-unix-only": lambda: [AF_UNIX_ANSWER],
    "D4-unicode-error": UnicodeError("label empty or too long"),
}


class StuckNames(Names):
    """A name server that does not answer before `release`."""

    def __init__(self) -> None:
        super().__init__({"*": self._wait})
        self.release = threading.Event()

    def _wait(self) -> Sequence[str]:
        self.release.wait(MAX_SECONDS)
        return ["127.0.0.1"]


@pytest.fixture
def stuck() -> Iterator[StuckNames]:
    names = StuckNames()
    yield names
    names.release.set()
    for thread in threading.enumerate():
        if thread.name.startswith("look-up of"):
            thread.join(MAX_SECONDS)


@pytest.mark.parametrize("answers", NO_ADDRESS.values(), ids=NO_ADDRESS)
def test_a_name_without_an_address(guard: Guard, dialled: list[Any], answers: Any) -> None:
    guarded = guard(names=Names({"site.example": answers}))
    attempt = guarded.fetch("http://site.example/")
    assert (attempt.code, dialled) == ("DNS_RESOLUTION_FAILED", [])
    assert guarded.names.asked == ["site.example"]


def test_d2_a_look_up_that_blocks(guard: Guard, stuck: StuckNames) -> None:
    attempt = guard(names=stuck).fetch("http://site.example/", seconds=DEADLINE)
    assert attempt.code == "TIMEOUT"
    assert DEADLINE <= attempt.seconds < LATEST


def test_d5_forty_stuck_look_ups_at_once(guard: Guard, stuck: StuckNames) -> None:
    guarded = guard(names=stuck)
    attempts: list[Attempt] = []

    def fetch(number: int) -> None:
        attempts.append(guarded.fetch(f"http://site{number}.example/", seconds=DEADLINE))

    threads = [threading.Thread(target=fetch, args=(number,)) for number in range(40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [attempt.code for attempt in attempts] == ["TIMEOUT"] * 40
    assert max(attempt.seconds for attempt in attempts) < LATEST
    assert len(stuck.asked) <= 32


def test_look_ups_work_again_once_the_stuck_ones_end(
    serve: Serve, guard: Guard, stuck: StuckNames
) -> None:
    server = serve(answer(response()))
    guarded = guard(names=stuck)
    assert guarded.fetch("http://site.example/", seconds=0.1).code == "TIMEOUT"
    stuck.release.set()
    assert guarded.fetch(server.url(host="site.example")).code == "OK"


def test_d6_the_answer_changes_between_hops(serve: Serve, guard: Guard) -> None:
    server = serve(by_target({"/": redirect(b"/inside")}))
    answers = iter((["127.0.0.1"], ["10.0.0.1"]))
    guarded = guard(names=Names({"site.example": lambda: next(answers)}))
    attempt = guarded.fetch(server.url(host="site.example"))
    server.stop()
    assert (attempt.code, attempt.rule) == ("POLICY_REJECTED", "address")
    assert (server.targets, attempt.urls) == (["/"], [server.url(host="site.example")])


def test_d7_the_answer_changes_between_fetches(
    serve: Serve, guard: Guard, dialled: list[Any]
) -> None:
    first = serve(answer(response(b"first"), keep=True))
    second = serve(answer(response(b"second"), keep=True), host="127.0.0.2", port=first.port)
    answers = iter((["127.0.0.1"], ["127.0.0.1"], ["127.0.0.2"]))
    guarded = guard(names=Names({"site.example": lambda: next(answers)}))
    bodies = [guarded.fetch(first.url(host="site.example")).body for _ in range(3)]
    assert bodies == [b"first", b"first", b"second"]
    assert dialled == [("127.0.0.1", first.port), ("127.0.0.2", second.port)]


STUCK_PROGRAM = """
import threading
from safefetch_cli.errors import Timeout
from safefetch_cli.models import Limits
from safefetch_cli.net.fetch import Fetcher
from safefetch_cli.net.policy import Policy

fetcher = Fetcher(
    Policy.build(), user_agent="test", lookup=lambda host, port: threading.Event().wait(20)
)
try:
    fetcher.fetch("http://site.example/", Limits(seconds=0.1, max_bytes=1, max_redirects=0))
except Timeout:
    print("done", flush=True)
"""


def test_d8_a_stuck_look_up_does_not_hold_the_process() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", STUCK_PROGRAM], stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "done\n"
            started = time.monotonic()
            assert process.wait(timeout=2.0) == 0
        finally:
            process.kill()
    assert time.monotonic() - started < 2.0


def test_d9_at_most_eight_of_many_addresses_are_tried(guard: Guard, dialled: list[Any]) -> None:
    addresses = [f"127.0.{number // 250}.{number % 250 + 1}" for number in range(500)]
    with closed_port("0.0.0.0") as held:
        port = held.getsockname()[1]
        guarded = guard(names=Names({"site.example": addresses}))
        attempt = guarded.fetch(f"http://site.example:{port}/")
    assert attempt.code == "CONNECTION_FAILED"
    assert dialled == [(address, port) for address in addresses[:8]]
