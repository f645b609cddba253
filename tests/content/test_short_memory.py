"""What is remembered of texts."""

from safefetch_cli.content.short_memory import LONGEST, remembered


def test_short_texts_are_remembered_and_long_ones_are_not() -> None:
    asked: list[int] = []

    @remembered(2)
    def size(text: str) -> int:
        asked.append(len(text))
        return len(text)

    short, long = LONGEST, LONGEST + 1
    for length in (short, short, long, long):
        assert size("a" * length) == length
    assert asked == [short, long, long]
