"""Where pages are written: to stdout, to one file, or to a file each."""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

from safefetch_cli.cli import output
from safefetch_cli.errors import InvalidInput

_EXTENSIONS = {"markdown": ".md", "text": ".txt", "raw": ""}  # "": the URL's own

Write = Callable[[bytes], object]


class Place:
    """Where the pages of one run go. Raises InvalidInput for what cannot be written."""

    def __init__(
        self,
        output_file: str | None,
        output_dir: str | None,
        remote_name: bool,
        force: bool,
        extension: str,
    ) -> None:
        self.has_file_for_each = remote_name or output_dir is not None
        self._file = None if output_file == output.STDOUT else output_file
        self.is_stdout = self._file is None and not self.has_file_for_each
        self._folder = output_dir or ""
        if output_dir == "":
            raise InvalidInput("--output-dir: '' is no folder")
        self._force = force
        self._flag = "--remote-name" if output_dir is None else "--output-dir"
        if self.has_file_for_each:
            from safefetch_cli.file_names import FileNames

            if output_file is not None:
                raise InvalidInput(f"{self._flag}: it names the files, and so does --output")
            self._names = FileNames(extension, short=remote_name)
        output.check_target(self._file, force=force)

    def prepare(self) -> None:
        """Make the folder, once all else is known to be right; refuse one that is closed."""
        if self._folder:
            self._make_folder(self._folder)
        if self.has_file_for_each and not os.access(self._folder or ".", os.W_OK | os.X_OK):
            raise InvalidInput(f"{self._flag}: no file can be written in {self._folder or '.'!r}")

    def path(self, url: str) -> str | None:
        """The file for the next page, None for stdout."""
        if not self.has_file_for_each:
            return self._file
        return os.path.join(self._folder, self._names.name(url))

    def check(self, path: str | None) -> None:
        """Refuse to replace a page's own file, before the page is fetched."""
        if path is None or self._force or not self.has_file_for_each:
            return
        if os.path.lexists(path):
            raise output.exists(path, self._flag)

    def write(self, text: str, path: str | None) -> None:
        """Write one page, whole or not at all."""
        with self._stream(path) as write:
            write(output.as_bytes(text))

    @contextmanager
    def shared_stream(self) -> Iterator[Write]:
        """Where the pages go that have no file each, and what is said of those that failed.

        A file is begun with the first that is written there, so that there is none of nothing.
        """
        path = None if self.has_file_for_each else self._file
        with ExitStack() as stack:
            opened: list[Write] = []

            def write(data: bytes) -> None:
                if not opened:
                    opened.append(stack.enter_context(self._stream(path)))
                opened[0](data)

            yield write

    @contextmanager
    def _stream(self, path: str | None) -> Iterator[Write]:
        if path is None:
            yield output.write_stdout
        elif self.has_file_for_each:
            # A link in the folder must not lead out of it.
            with output.file(path, force=self._force, flag=self._flag, follow_link=False) as stream:
                yield stream.write
        else:
            with output.file(path, force=self._force) as stream:
                yield stream.write

    def _make_folder(self, folder: str) -> None:
        try:
            os.makedirs(folder, exist_ok=True)
        except OSError as error:
            reason = error.strerror or error
            raise InvalidInput(f"--output-dir: {folder!r} cannot be made: {reason}") from None


def extension(form: str, *, json: bool) -> str:
    """What the files of pages in this form end in."""
    return ".json" if json else _EXTENSIONS.get(form, "")
