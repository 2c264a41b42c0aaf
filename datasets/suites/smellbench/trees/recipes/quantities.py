"""Amounts of a recipe."""

GRAMS = {"g": 1, "kg": 1000}


def in_grams(amount, unit):
    """An amount in grams."""
    return float(amount) * GRAMS[unit]


def as_text(grams):
    """Grams, or kilograms from 1000 on."""
    if grams >= 1000:
        return f"{grams / 1000:g} kg"
    return f"{grams:g} g"
