"""Files that are whole or not there."""

import os
from pathlib import Path

import pytest

from safefetch_cli.files import whole_file


def write(path: Path, *, replace: bool = False, follow_link: bool = True) -> None:
    with whole_file(str(path), replace=replace, follow_link=follow_link) as stream:
        stream.write(b"new")


def interrupted(path: Path) -> None:
    with whole_file(str(path), replace=True) as stream:
        stream.write(b"new")
        raise KeyboardInterrupt


def test_nothing_is_there_until_the_end(tmp_path: Path) -> None:
    path = tmp_path / "page.md"
    with whole_file(str(path), replace=False) as stream:
        stream.write(b"half")
        stream.flush()
        assert not path.exists()
        stream.write(b"whole")
    assert path.read_bytes() == b"halfwhole"
    assert os.listdir(tmp_path) == ["page.md"]


def test_a_failure_leaves_all_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "page.md"
    path.write_bytes(b"old")
    with pytest.raises(KeyboardInterrupt):
        interrupted(path)
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["page.md"]


def test_a_file_is_replaced_only_if_asked(tmp_path: Path) -> None:
    path = tmp_path / "page.md"
    path.write_bytes(b"old")
    with pytest.raises(FileExistsError):
        write(path)
    assert path.read_bytes() == b"old"
    write(path, replace=True)
    assert path.read_bytes() == b"new"
    assert os.listdir(tmp_path) == ["page.md"]


@pytest.mark.parametrize("replace", [False, True])
def test_a_link_out_of_a_folder_is_not_followed_where_it_must_not(
    tmp_path: Path, replace: bool
) -> None:
    outside, folder = tmp_path / "outside", tmp_path / "folder"
    outside.write_bytes(b"mine")
    folder.mkdir()
    link = folder / "page.md"
    link.symlink_to(outside)
    if replace:
        write(link, replace=True, follow_link=False)
        assert (link.is_symlink(), link.read_bytes()) == (False, b"new")
        assert link.stat().st_mode & 0o111 == 0
    else:
        with pytest.raises(FileExistsError):
            write(link, follow_link=False)
    assert outside.read_bytes() == b"mine"


def test_a_link_to_nothing_counts_as_a_file(tmp_path: Path) -> None:
    link = tmp_path / "page.md"
    link.symlink_to(tmp_path / "nothing")
    with pytest.raises(FileExistsError):
        write(link, follow_link=False)
    assert not (tmp_path / "nothing").exists()
