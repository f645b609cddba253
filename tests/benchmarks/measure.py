"""Measure start-up, session, many URLs and memory, each against something else in the same run.

    python tests/benchmarks/measure.py startup   # instructions, or CPU, to `import typer`
    python tests/benchmarks/measure.py get       # the same of one `get`, to its libraries alone
    python tests/benchmarks/measure.py session   # CPU of 200 keep-alive GETs, to a bare session
    python tests/benchmarks/measure.py many      # 200 pages at 8 at once, to one after another
    python tests/benchmarks/measure.py memory    # peak over idle for hostile bodies

All traffic is on loopback.
"""

import re
import resource
import shutil
import socket
import subprocess
import sys
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median

SAFEFETCH = Path(sys.executable).with_name("safefetch")
ROUNDS = 5
GETS = 200
PAGE_BYTES = 20_000
ANSWER_SECONDS = 0.05


def startup() -> None:
    """The commands that must start fast, as multiples of a bare `import typer`."""
    base = _cost([sys.executable, "-c", "import typer"])
    print(f"import typer: {base:,.0f} {_unit()}")
    for words in (["--help"], ["--version"], ["check-url", "http://127.0.0.1/"]):
        cost = _cost([sys.executable, str(SAFEFETCH), *words])
        print(f"safefetch {' '.join(words)}: {cost:,.0f} = {cost / base:.3f}x")


def get() -> None:
    """A `get` of a page of 10 KB, as a multiple of a bare `import requests, lxml.etree`.

    Nearly all of it is the start: a second page in the same process takes a twentieth.
    """
    server, port = _serve_in_process(_SLOW_SERVER, "0", "10000")
    try:
        base = _cost([sys.executable, "-c", "import requests, lxml.etree"])
        print(f"import requests, lxml.etree: {base:,.0f} {_unit()}")
        words = ["get", "--allow-local", "--quiet", f"http://127.0.0.1:{port}/"]
        cost = _cost([sys.executable, str(SAFEFETCH), *words])
        print(f"safefetch get: {cost:,.0f} = {cost / base:.3f}x")
    finally:
        server.kill()


def session() -> None:
    """CPU per request of the guarded session and of requests.Session, rounds interleaved."""
    import requests

    from safefetch_cli.models import Limits
    from safefetch_cli.net.fetch import Fetcher
    from safefetch_cli.net.policy import Policy

    server, port = _serve_in_process()
    url = f"http://127.0.0.1:{port}/"
    limits = Limits(seconds=30, max_bytes=100_000, max_redirects=0)
    fetcher = Fetcher(Policy.build(allow_local=True), user_agent="benchmark")
    bare = requests.Session()
    bare.trust_env = False
    try:
        ratios = []
        for _ in range(ROUNDS):
            stock = _cpu(lambda: bare.get(url, timeout=30).content)
            guarded = _cpu(lambda: fetcher.fetch(url, limits).body)
            ratios.append(guarded / stock)
            print(f"bare {stock / GETS * 1e6:.0f} us, guarded {guarded / GETS * 1e6:.0f} us")
        print(f"median ratio {median(ratios):.3f}x")
    finally:
        server.kill()


def many() -> None:
    """Throughput and CPU of 200 pages, 8 at once, to the same pages one after another.

    Each page has 20 KB and takes 50 ms to come; both ways go through one client in one process.
    """
    from safefetch_cli import Client

    server, port = _serve_in_process(_SLOW_SERVER, str(ANSWER_SECONDS), str(PAGE_BYTES))
    urls = [f"http://127.0.0.1:{port}/{number}" for number in range(GETS)]
    try:
        with Client(allow_local=True) as client:
            client.get(urls[0])
            throughputs, costs = [], []
            for _ in range(3):
                one_by_one = _time_of(lambda: [client.get(url) for url in urls])
                at_once = _time_of(lambda: list(client.get_many(urls, jobs=8)))
                throughputs.append(one_by_one[0] / at_once[0])
                costs.append(at_once[1] / one_by_one[1])
                print(f"throughput {throughputs[-1]:.2f}x, CPU per URL {costs[-1]:.3f}x")
        print(f"median {median(throughputs):.2f}x, CPU {median(costs):.3f}x")
    finally:
        server.kill()


def _time_of(work: Callable[[], object]) -> tuple[float, float]:
    """Seconds that went by, and seconds of CPU."""
    before = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - before[0], time.process_time() - before[1]


def memory() -> None:
    """Peak memory of a process that fetches, less that of one that only loaded everything."""
    bodies: dict[str, Callable[[], Iterator[bytes]]] = {
        "idle (small page)": lambda: iter([_head(), b"<p>hello"]),
        "gzip bomb, 10 GB": _bomb,
        "endless body": lambda: iter(_forever()),
        "chunk size -1": lambda: iter(_negative_chunk()),
        "5 MB page": lambda: iter([_head("text/plain"), b"word " * 1_000_000]),
    }
    idle = 0
    for name, body in bodies.items():
        peak = _peak_of_fetch(body)
        idle = idle or peak
        print(f"{name}: {peak / 1024:.1f} MiB, {(peak - idle) / 1024:+.1f} over idle")


def _unit() -> str:
    return "instructions" if shutil.which("valgrind") else "CPU microseconds"


def _cost(command: list[str]) -> float:
    if shutil.which("valgrind"):
        tool = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
        done = subprocess.run([*tool, *command], capture_output=True, text=True)
        found = re.search(r"Collected : (\d+)", done.stderr)
        if found is None:
            raise SystemExit(done.stderr)
        return float(found[1])
    return median(_child_cpu(command) for _ in range(15)) * 1e6


def _child_cpu(command: list[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _cpu(get: Callable[[], bytes]) -> float:
    get()
    started = time.process_time()
    for _ in range(GETS):
        get()
    return time.process_time() - started


_SERVER = """
import socketserver, sys
from http.server import BaseHTTPRequestHandler
class Page(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    def do_GET(self):
        head = b"HTTP/1.1 200 OK\\r\\nContent-Type: text/plain\\r\\n"
        self.wfile.write(head + b"Content-Length: 2048\\r\\n\\r\\n" + b"x" * 2048)
    def log_message(self, *args): pass
server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Page)
server.daemon_threads = True
print(server.server_address[1], flush=True)
server.serve_forever()
"""


_SLOW_SERVER = """
import socketserver, sys, time
from http.server import BaseHTTPRequestHandler
SECONDS, BYTES = float(sys.argv[1]), int(sys.argv[2])
PARAGRAPH = (b"<p>The harbour office publishes its <a href='/tables'>timetable</a> every morning "
    b"before the <em>first</em> ferry leaves, and visitors compare it with the soundings.</p>")
START = b"<html><head><title>Tides</title></head><body><article><h1>Tides</h1>"
BODY = START + PARAGRAPH * (BYTES // len(PARAGRAPH))
class Page(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    def do_GET(self):
        time.sleep(SECONDS)
        head = b"HTTP/1.1 200 OK\\r\\nContent-Type: text/html\\r\\nContent-Length: %d\\r\\n\\r\\n"
        self.wfile.write(head % len(BODY) + BODY)
    def log_message(self, *args): pass
server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Page)
server.daemon_threads = True
print(server.server_address[1], flush=True)
server.serve_forever()
"""


def _serve_in_process(code: str = _SERVER, *arguments: str) -> tuple[subprocess.Popen[str], int]:
    command = [sys.executable, "-c", code, *arguments]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    if server.stdout is None:
        raise SystemExit("the server has no output")
    return server, int(server.stdout.readline())


def _head(kind: str = "text/html", *fields: str) -> bytes:
    lines = ["HTTP/1.1 200 OK", f"Content-Type: {kind}", "Connection: close", *fields]
    return "\r\n".join([*lines, "", ""]).encode()


def _bomb() -> Iterator[bytes]:
    yield _head("text/html", "Content-Encoding: gzip")
    packer = zlib.compressobj(9, zlib.DEFLATED, 16 + zlib.MAX_WBITS)
    megabyte = b"<p>bomb " * 131_072
    for _ in range(10_000):
        yield packer.compress(megabyte)


def _forever() -> Iterator[bytes]:
    yield _head()
    while True:
        yield b"<p>more " * 8192


def _negative_chunk() -> Iterator[bytes]:
    yield _head("text/html", "Transfer-Encoding: chunked") + b"-1\r\n"
    for _ in range(6400):
        yield b"x" * 65536


_FETCH = """
import sys
from safefetch_cli import Client, SafefetchError
try:
    Client(allow_local=True, timeout_ms=60000).get(sys.argv[1], extract="full", format="raw")
except SafefetchError as error:
    print(error.code, file=sys.stderr)
import resource
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def _peak_of_fetch(body: Callable[[], Iterator[bytes]]) -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=_answer_once, args=(listener, body), daemon=True)
        thread.start()
        url = f"http://127.0.0.1:{listener.getsockname()[1]}/"
        done = subprocess.run([sys.executable, "-c", _FETCH, url], capture_output=True, text=True)
        thread.join(timeout=10)
    return int(done.stdout)


def _answer_once(listener: socket.socket, body: Callable[[], Iterator[bytes]]) -> None:
    connection, _ = listener.accept()
    with connection:
        connection.recv(65536)
        try:
            for piece in body():
                connection.sendall(piece)
        except OSError:
            return  # the client had enough, which is the point


if __name__ == "__main__":
    measures = {
        "startup": startup,
        "get": get,
        "session": session,
        "many": many,
        "memory": memory,
    }
    for name in sys.argv[1:] or measures:
        measures[name]()
