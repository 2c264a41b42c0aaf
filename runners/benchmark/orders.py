"""Every order of the options of every question, and what the answers come to.

A question is right where it is right under all orders (invariant accuracy, arXiv 2503.16167);
mean accuracy is the share of right answers, over questions that were answered under all orders.
Nothing but Python's own library is needed, except by `load`.
"""

import json
import re
from itertools import permutations
from math import factorial, nan
from pathlib import Path

SYMBOLS = "ABCDEFGH"
FOLDER = Path(__file__).resolve().parent


def rows(form):
    """The questions of FORM.jsonl under every order, in lexicographic order of the options."""
    with open(FOLDER / f"{form}.jsonl", encoding="utf-8", newline="\n") as lines:
        for line in lines:
            yield from in_every_order(json.loads(line))


def in_every_order(question):
    options, joints = question["options"], question["joints"]
    count = len(options)
    for order in permutations(range(count)):
        shown = "".join(options[option] + joint for option, joint in zip(order, joints))
        yield {
            "question": question["id"],
            "order": "".join(map(str, order)),
            "orders": factorial(count),
            "language": question["language"],
            "change_type": question["change_type"],
            "prompt": question["stem"] + shown,
            "letters": list(SYMBOLS[:count]),
            "target": order.index(0),
        }


def letter_of(text, letters):
    """The letter that an answer begins with, brackets and stars aside; None where it is none."""
    found = re.match(r"[^A-Za-z]*([A-Za-z])(?![A-Za-z])", text)
    return found.group(1) if found and found.group(1) in letters else None


def load(form, **_):
    """The data set of a task of lm-evaluation-harness."""
    from datasets import Dataset

    return {"test": Dataset.from_list(list(rows(form)))}


def by_probability(doc, results):
    """The letter with the highest log probability; of equals, none."""
    scores = [score for score, _ in results]
    right = scores[doc["target"]]
    return measured(doc, all(right > other for at, other in enumerate(scores) if at != doc["target"]))


def by_letter(doc, results):
    return measured(doc, letter_of(results[0], doc["letters"]) == doc["letters"][doc["target"]])


def measured(doc, is_right):
    item = (doc["question"], doc["orders"], is_right)
    return {"invariant_accuracy": item, "mean_accuracy": item}


def invariant_accuracy(items):
    """Share of questions that are right under all their orders."""
    questions = by_question(items)
    return mean([len(answers) == orders and all(answers) for orders, answers in questions])


def mean_accuracy(items):
    """Mean over the questions with an answer under every order of the share that is right."""
    questions = by_question(items)
    return mean([mean(answers) for orders, answers in questions if len(answers) == orders])


def by_question(items):
    found = {}
    for question, orders, is_right in items:
        found.setdefault(question, (orders, []))[1].append(bool(is_right))
    return list(found.values())


def mean(values):
    return sum(values) / len(values) if values else nan
