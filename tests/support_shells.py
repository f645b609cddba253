"""What a shell offers for a line that is being typed: bash, zsh and fish as they are."""

import os
import pty
import re
import shutil
import subprocess
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

HANG_SECONDS = 60
COMPLETIONS = Path(__file__).parents[1] / "completions"
Offers = list[set[str]]


def here(folder: Path) -> Path:
    """Where the shell is: a folder of the test's own, beside what the shell itself needs."""
    inner = folder / "here"
    inner.mkdir(exist_ok=True)
    return inner


def environment(folder: Path) -> dict[str, str]:
    """Of a shell that knows nothing of its user."""
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "ZDOTDIR": str(folder),
        "XDG_CONFIG_HOME": str(folder / "config"),
        "XDG_DATA_HOME": str(folder / "data"),
        "TERM": "dumb",
        "LC_ALL": "C.UTF-8",
    }


def _run(words: Sequence[str], script: str, folder: Path) -> str:
    ended = subprocess.run(
        [*words, script],
        cwd=here(folder),
        env=environment(folder),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=HANG_SECONDS,
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    return ended.stdout


def _groups(text: str) -> Offers:
    """What was offered for each line; a group ends in a line of its own."""
    return [
        {word.rstrip("/") for word in group.splitlines() if word}
        for group in text.split("=end=\n")[:-1]
    ]


def bash(lines: Sequence[str], folder: Path) -> Offers:
    """bash calls the function of the completion with the words of the line."""
    script = [f". {COMPLETIONS}/safefetch.bash"]
    for line in lines:
        words = [word for word in re.split(r" +|(=)", line) if word is not None]
        quoted = " ".join(f"'{word}'" for word in words)
        script.append(f"COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; COMPREPLY=()")
        script.append("_safefetch; printf '%s\\n' \"${COMPREPLY[@]}\" '=end='")
    return _groups(_run(["bash", "--norc", "-c"], "\n".join(script), folder))


def fish(lines: Sequence[str], folder: Path) -> Offers:
    """fish says itself what it would offer."""
    sources = [f"source {COMPLETIONS}/{name}.fish" for name in ("safefetch", "safefetch-cli")]
    asked = [
        f"complete --do-complete '{line}' | string replace -r '\\t.*' ''; echo =end="
        for line in lines
    ]
    script = [*sources, *asked]
    offers = _groups(_run(["fish", "--no-config", "-c"], "\n".join(script), folder))
    return [{word.rpartition("=")[2] for word in offer} for offer in offers]


_ZSH = r"""
PROMPT= PS2= offered=()
fpath=({completions} $fpath)
autoload -Uz compinit && compinit -D -u
compadd() {{
    local -a words
    if (( ! ${{@[(I)-[OAD]*]}} )); then
        builtin compadd -A words "$@"
        offered+=($words)
    fi
    builtin compadd "$@"
}}
capture() {{
    offered=()
    zle completing
    print -rl -- $offered '=end=' >>{result}
    BUFFER=
}}
zle -C completing complete-word _main_complete
zle -N capture
bindkey '^I' capture
zle-line-init() {{ print -r -- '=ready=' }}
zle -N zle-line-init
"""


def zsh(lines: Sequence[str], folder: Path) -> Offers:
    """zsh at a terminal, where a tabulator records what the completion adds."""
    result = folder / "offered.txt"
    (folder / ".zshrc").write_text(_ZSH.format(completions=COMPLETIONS, result=result))
    ours, its = pty.openpty()
    shell = subprocess.Popen(
        ["zsh", "-d", "-i"],
        cwd=here(folder),
        env=environment(folder),
        stdin=its,
        stdout=its,
        stderr=its,
        start_new_session=True,
    )
    watchdog = threading.Timer(HANG_SECONDS, shell.kill)
    watchdog.start()
    os.close(its)
    try:
        seen = b""
        while b"=ready=" not in seen and (more := _read(ours)):
            seen += more
        os.write(ours, b"".join(line.encode() + b"\t" for line in lines) + b"exit\r")
        while _read(ours):
            pass
        shell.wait()
    finally:
        watchdog.cancel()
        os.close(ours)
    return _groups(result.read_text())


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 4096)
    except OSError:  # the shell is gone
        return b""


SHELLS: dict[str, Callable[[Sequence[str], Path], Offers]] = {
    "bash": bash,
    "zsh": zsh,
    "fish": fish,
}


def is_there(shell: str) -> bool:
    """Whether this machine has the shell."""
    return shutil.which(shell) is not None
