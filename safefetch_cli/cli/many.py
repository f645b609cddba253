"""Many pages, one after another in the order of their URLs; a failure of one ends no other."""

from collections import deque
from collections.abc import Generator, Iterable, Iterator
from contextlib import AbstractContextManager, closing, nullcontext

from safefetch_cli import lines
from safefetch_cli.batch import Outcome
from safefetch_cli.choices import Reading
from safefetch_cli.cli import output, progress, show
from safefetch_cli.cli.inputs import UrlLists
from safefetch_cli.cli.interrupts import Shield
from safefetch_cli.cli.places import Place, Write
from safefetch_cli.cli.show import View
from safefetch_cli.errors import FAILURES, HttpError, SafefetchError
from safefetch_cli.operations import Client

SEVERAL_FAILURES = FAILURES["INTERNAL_ERROR"].exit_status


def get_many(
    client: Client, urls: UrlLists, jobs: int, reading: Reading, view: View, place: Place
) -> int:
    """Write what comes of each URL; the exit status of it all.

    That is 0, or the status that all failures have, or else 1. On Ctrl-C what is finished is
    written before KeyboardInterrupt is raised. Raises InvalidInput when stdout cannot be written.
    """
    plan = _Plan(place)
    interrupt: KeyboardInterrupt | None = None
    with place.shared_stream() as write, progress.of_many(view.quiet, urls.total) as counter:
        teller = _Teller(view, place, write, counter)
        try:
            with closing(client.get_many(plan.wanted(urls), jobs=jobs, **reading)) as pages:
                _tell_all(pages, plan, teller)
        except KeyboardInterrupt as error:  # a file that all pages share is kept
            interrupt = error
    if interrupt is not None:
        raise interrupt
    statuses = teller.statuses
    return next(iter(statuses), 0) if len(statuses) < 2 else SEVERAL_FAILURES


def _tell_all(pages: Generator[Outcome, None, None], plan: "_Plan", teller: "_Teller") -> None:
    outcome = next(pages, None)
    while outcome is not None:
        with teller.shield() as shield:
            for planned in plan.up_to(outcome):
                teller.tell(*planned)
        # Ctrl-C goes where the pages come from, which gives out those that are finished.
        pressed = shield is not None and shield.was_pressed
        outcome = pages.throw(KeyboardInterrupt()) if pressed else next(pages, None)
    for planned in plan.rest():
        teller.tell(*planned)


class _Plan:
    """Which file each page goes to, settled in the order of the URLs, before they are fetched."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._planned: deque[tuple[str, str | None, SafefetchError | None]] = deque()

    def wanted(self, urls: Iterable[str]) -> Iterator[str]:
        """The URLs whose pages may be written."""
        for url in urls:
            path, refusal = self._place.path(url), None
            try:
                self._place.check(path)
            except SafefetchError as error:
                refusal = error
                refusal.requested_url = url
            self._planned.append((url, path, refusal))
            if refusal is None:
                yield url

    def up_to(self, outcome: Outcome) -> Iterator[tuple[Outcome, str | None]]:
        """The refused before it, then the outcome itself, each with its file."""
        while True:
            url, path, refusal = self._planned.popleft()
            if refusal is not None:
                yield Outcome(url, error=refusal), path
            elif url == outcome.url:  # after Ctrl-C some are left out
                yield outcome, path
                return

    def rest(self) -> Iterator[tuple[Outcome, str | None]]:
        """The refused after all outcomes."""
        while self._planned:
            url, path, refusal = self._planned.popleft()
            yield Outcome(url, error=refusal), path


class _Teller:
    """Writes outcomes: results to their places, all else to stderr."""

    def __init__(self, view: View, place: Place, write: Write, counter: progress.Counter) -> None:
        self._view = view
        self._place = place
        self._write = write
        self._counter = counter
        self._is_first = True
        self.statuses: set[int] = set()
        """Of the failures so far."""

    def shield(self) -> AbstractContextManager[Shield | None]:
        """What Ctrl-C waits for: a file is written whole. Standard output may wait for ever."""
        return nullcontext() if self._place.is_stdout else Shield()

    def tell(self, outcome: Outcome, path: str | None) -> None:
        """Write one, and count it."""
        with self._counter.aside():
            try:
                if outcome.error is not None:
                    raise outcome.error
                if outcome.result is not None:
                    show.notes(outcome.result, self._view, outcome.url)
                    self._deliver(show.text(outcome.result, self._view), outcome.url, path)
            except output.StdoutLost:  # nor could those be written that follow
                raise
            except SafefetchError as error:
                self._tell_failure(error, outcome.url, path)
                self.statuses.add(error.exit_status)
                self._counter.count(failed=True)
            else:
                self._counter.count(failed=False)

    def _tell_failure(self, error: SafefetchError, url: str, path: str | None) -> None:
        if self._view.verbose:
            output.show_hops(error.hops)
        output.report(error, url)
        if self._view.json:
            error.requested_url = url
            self._write(output.as_bytes(lines.as_json(error.to_dict())))
        elif self._view.fail_with_body and isinstance(error, HttpError) and error.text:
            self._deliver(error.text, url, path)

    def _deliver(self, text: str, url: str, path: str | None) -> None:
        if self._place.has_file_for_each:
            self._place.write(text, path)
        elif self._view.json:
            self._write(output.as_bytes(text))
        else:
            # As head and tail have it.
            separator = "" if self._is_first else "\n"
            self._is_first = False
            self._write(output.as_bytes(f"{separator}==> {url} <==\n{text}"))
