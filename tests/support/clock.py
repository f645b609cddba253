"""A clock that stands still until a test moves it."""


class Clock:
    """Called, it gives the time in seconds."""

    def __init__(self, now: float = 1_700_000_000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now
