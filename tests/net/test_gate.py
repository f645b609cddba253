"""So many requests are on their way at once, and no more."""

import threading
from concurrent.futures import ThreadPoolExecutor, wait

import pytest

from safefetch_cli.errors import Timeout
from safefetch_cli.net.budget import Budget
from safefetch_cli.net.gate import Gate


def budget(seconds: float = 30) -> Budget:
    return Budget(seconds, 0)


class Crowd:
    """Callers that stay in the gate until they are let go."""

    def __init__(self, gate: Gate) -> None:
        self.gate = gate
        self.pool = ThreadPoolExecutor(32)
        self.inside: list[str] = []
        self.most: dict[str, int] = {}
        self.changed = threading.Condition()
        self.may_leave = threading.Semaphore(0)

    def come(self, host: str):
        return self.pool.submit(self._stay, host)

    def _stay(self, host: str) -> None:
        with self.gate.entered(host, budget()):
            with self.changed:
                self.inside.append(host)
                self.most[host] = max(self.most.get(host, 0), self.inside.count(host))
                self.most["all"] = max(self.most.get("all", 0), len(self.inside))
                self.changed.notify_all()
            assert self.may_leave.acquire(timeout=30)
            with self.changed:
                self.inside.remove(host)

    def wait_for(self, count: int) -> None:
        with self.changed:
            assert self.changed.wait_for(lambda: len(self.inside) == count, 30)

    def empty(self, futures) -> None:
        self.may_leave.release(len(futures))
        assert not wait(futures, 30).not_done
        for future in futures:
            future.result()
        self.pool.shutdown()


def test_a_busy_host_does_not_stand_in_the_way_of_another() -> None:
    crowd = Crowd(Gate(3, 2))
    futures = [crowd.come("a") for _ in range(4)]
    crowd.wait_for(2)
    futures.append(crowd.come("b"))
    crowd.wait_for(3)
    crowd.empty(futures)
    assert crowd.most == {"a": 2, "b": 1, "all": 3}


def test_no_more_than_all_places_are_taken() -> None:
    crowd = Crowd(Gate(3, 3))
    futures = [crowd.come(f"host-{number}") for number in range(12)]
    crowd.wait_for(3)
    crowd.empty(futures)
    assert crowd.most["all"] == 3


def test_a_place_is_given_back_after_a_failure() -> None:
    gate = Gate(1, 1)
    with pytest.raises(ZeroDivisionError), gate.entered("a", budget()):
        raise ZeroDivisionError
    with gate.entered("a", budget()):
        pass


def test_waiting_ends_by_the_deadline() -> None:
    gate = Gate(1, 1)
    with gate.entered("a", budget()), pytest.raises(Timeout), gate.entered("b", budget(0.01)):
        pass


def test_waiting_ends_when_the_operation_is_cancelled() -> None:
    gate, waiting = Gate(1, 1), budget()
    waiting.abort()
    with (
        gate.entered("a", budget()),
        pytest.raises(Timeout, match="cancelled"),
        gate.entered("b", waiting),
    ):
        pass


def test_who_waits_is_let_in_in_the_order_of_coming() -> None:
    gate, order = Gate(1, 1), []

    def visit(number: int) -> None:
        with gate.entered("a", budget()):
            order.append(number)

    with ThreadPoolExecutor(8) as pool, gate.entered("a", budget()):
        for number in range(8):
            pool.submit(visit, number)
            while len(gate._waiting) <= number:
                pass
    assert order == list(range(8))
