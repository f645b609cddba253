"""Where pages are written: to stdout, to one file, or to a file each."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager

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
        self._force = force
        self._flag = "--remote-name" if output_dir is None else "--output-dir"
        if self.has_file_for_each:
            from safefetch_cli.file_names import FileNames

            if output_file is not None:
                raise InvalidInput(f"{self._flag}: it names the files, and so does --output")
            self._names = FileNames(extension, short=remote_name)
        if output_dir is not None:
            self._make_folder(output_dir)
        output.check_target(self._file, force=force)

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
        """Where the pages go that have no file each, and what is said of those that failed."""
        with self._stream(None if self.has_file_for_each else self._file) as write:
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
