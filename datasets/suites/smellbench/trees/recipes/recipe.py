"""Scales recipes."""

from quantities import as_text, in_grams


def scale(text, persons, wanted):
    """The lines of a recipe for so many persons, for others."""
    factor = wanted / persons
    return [scaled_line(line, factor) for line in useful_lines(text)]


def useful_lines(text):
    """Lines without comments."""
    return [line for line in text.splitlines() if line.strip() and not line.startswith("#")]


def scaled_line(line, factor):
    """A line with its amount scaled."""
    amount, unit, name = line.split(maxsplit=2)
    return f"{as_text(in_grams(amount, unit) * factor)} {name}"
