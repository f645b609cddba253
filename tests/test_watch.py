"""An operation in another thread is heard of and ended."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from support.behaviours import by_target, response
from support.server import Connection, Serve

from safefetch_cli import Client, Timeout
from safefetch_cli.time_limit import within
from safefetch_cli.watch import Progress, Watch


def client() -> Client:
    return Client(allow_local=True, robots="ignore", timeout_ms=600_000)


def test_a_download_is_followed_to_its_end(serve: Serve) -> None:
    heard: list[Progress] = []
    server = serve(by_target({"/a": response(b"x" * 50_000, b"Content-Type: text/plain")}))
    client().watched_by(Watch(heard.append)).get(server.url("/a"))
    assert heard[-1] == Progress(50_000, 50_000)
    assert [one.received for one in heard] == sorted(one.received for one in heard)


def test_a_cancelled_operation_ends_while_it_waits_for_the_server(serve: Serve) -> None:
    asked = threading.Event()

    def behave(connection: Connection) -> None:
        connection.request()
        asked.set()
        connection.pause()

    server, watch = serve(behave), Watch()
    with ThreadPoolExecutor(1) as pool:
        reading = pool.submit(client().watched_by(watch).get, server.url("/a"))
        assert asked.wait(30)
        watch.cancel()
        with pytest.raises(Timeout, match="cancelled"):
            reading.result(30)


def test_a_watch_that_was_cancelled_lets_nothing_begin(serve: Serve) -> None:
    watch = Watch()
    watch.cancel()
    server = serve(by_target({}))
    with pytest.raises(Timeout, match="cancelled"):
        client().watched_by(watch).get(server.url("/a"))
    assert server.connections == 0


def test_conversion_is_ended_by_its_watch() -> None:
    started, stopped = threading.Event(), threading.Event()
    watch = Watch()

    def spin() -> None:
        try:
            started.set()
            while True:
                pass
        finally:
            stopped.set()

    with ThreadPoolExecutor(1) as pool:
        working = pool.submit(within, 600, spin, watch)
        assert started.wait(30)
        watch.cancel()
        with pytest.raises(Timeout, match="cancelled"):
            working.result(30)
    assert stopped.wait(30), "the work went on behind"


def test_watched_clients_share_what_they_keep(serve: Serve) -> None:
    server = serve(by_target({"/a": response(b"# One\n\ntext", b"Content-Type: text/markdown")}))
    with client() as reader:
        reader.watched_by(Watch()).get(server.url("/a"))
        section = reader.watched_by(Watch()).section(server.url("/a"), "One")
    assert section.from_snapshot
    assert server.targets == ["/a"]
