"""Code review questions under every order of their options, for inspect_ai.

inspect eval codereviewqa.py -T form=cl_hard --model openai/gpt-4o
"""

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import GenerateConfig
from inspect_ai.scorer import CORRECT, INCORRECT, SampleScore, Score, metric, scorer
from inspect_ai.solver import generate

import orders


@task
def codereviewqa(form="cl_hard"):
    samples = [sample_of(row) for row in orders.rows(form)]
    return Task(
        dataset=MemoryDataset(samples, name=form),
        solver=generate(),
        scorer=letter(),
        config=GenerateConfig(temperature=0),
        name=f"codereviewqa_{form}",
    )


def sample_of(row):
    return Sample(
        id=f"{row['question']} {row['order']}",
        input=row["prompt"],
        target=row["letters"][row["target"]],
        metadata={name: row[name] for name in ("question", "order", "orders", "language", "change_type", "letters")},
    )


@metric
def invariant_accuracy():
    def measure(scores: list[SampleScore]) -> float:
        return orders.invariant_accuracy([item_of(each) for each in scores])

    return measure


@metric
def mean_accuracy():
    def measure(scores: list[SampleScore]) -> float:
        return orders.mean_accuracy([item_of(each) for each in scores])

    return measure


def item_of(scored):
    metadata = scored.sample_metadata
    # Reduced over epochs, a value is a number.
    return metadata["question"], metadata["orders"], scored.score.value in (CORRECT, 1.0)


@scorer(metrics=[invariant_accuracy(), mean_accuracy()])
def letter():
    async def score(state, target):
        answer = orders.letter_of(state.output.completion, state.metadata["letters"])
        return Score(
            value=CORRECT if answer == target.text else INCORRECT,
            answer=answer,
            explanation=state.output.completion,
        )

    return score
