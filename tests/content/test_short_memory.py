"""What is remembered of texts."""

from safefetch_cli.content.short_memory import LONGEST, remembered


def test_short_texts_are_remembered_and_long_ones_are_not() -> None:
    asked: list[int] = []

    @remembered(2)
    def size(text: str) -> int:
        asked.append(len(text))
        return len(text)

    short, long = "a" * LONGEST, "a" * (LONGEST + 1)
    assert [size(short), size(short), size(long), size(long)] == [1000, 1000, 1001, 1001]
    assert asked == [1000, 1001, 1001]
