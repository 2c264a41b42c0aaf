import type { Difficulty, Example } from "../domain/example.js";
import type { ProbeDefinition, Question } from "../domain/question.js";

/** One form of one probe: what a row of the summary is about. */
export interface ProbeForm {
  readonly probe: ProbeDefinition;
  readonly difficulty: Difficulty | null;
}

/** The forms asked for, in order: task by task, easy before hard. A probe without difficulties has one form. */
export function probeForms(probes: readonly ProbeDefinition[], difficulties: readonly Difficulty[]): ProbeForm[] {
  return probes.flatMap((probe): ProbeForm[] =>
    probe.difficulties.length === 0
      ? [{ probe, difficulty: null }]
      : probe.difficulties.filter((d) => difficulties.includes(d)).map((difficulty) => ({ probe, difficulty })),
  );
}

/**
 * All questions about the examples: those of one example follow each other, so that an engine's prefix cache serves
 * the whole stem.
 */
export async function* buildQuestions(
  examples: AsyncIterable<Example> | Iterable<Example>,
  forms: readonly ProbeForm[],
): AsyncGenerator<Question> {
  let index = 0;
  for await (const example of examples) {
    for (const { probe, difficulty } of forms) {
      if (probe.isEligible(example)) yield buildQuestion(index++, example, probe, difficulty);
    }
  }
}

function buildQuestion(
  index: number,
  example: Example,
  probe: ProbeDefinition,
  difficulty: Difficulty | null,
): Question {
  const options = probe.options(example, difficulty);
  if (options.length !== probe.optionCount || new Set(options).size < options.length) {
    throw new Error(`${probe.task} of example ${example.id}: expected ${probe.optionCount} distinct options.`);
  }
  return {
    index,
    task: probe.task,
    difficulty,
    exampleId: example.id,
    language: example.language,
    changeType: example.changeType,
    stem: probe.stem(example),
    options,
  };
}
