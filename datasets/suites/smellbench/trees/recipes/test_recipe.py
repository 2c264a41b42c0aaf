from recipe import scale

RECIPE = "# bread\n500 g flour\n\n1.5 kg water\n"


def test_amounts_are_scaled():
    assert scale(RECIPE, 4, 2) == ["250 g flour", "750 g water"]


def test_grams_become_kilograms():
    assert scale(RECIPE, 1, 2) == ["1 kg flour", "3 kg water"]


def test_comments_and_empty_lines_are_left_out():
    assert scale("# nothing\n\n", 1, 1) == []
