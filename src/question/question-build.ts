import type { Difficulty, Example } from "../dataset/example.js";
import { ablationField, formName, type Withheld } from "./form.js";
import type { ChoiceProbe, GenerationProbe, OpenQuestion, ProbeDefinition, Question, StemValues } from "./question.js";

/** One form of a multiple-choice probe. */
export interface ChoiceForm {
  readonly probe: ChoiceProbe;
  readonly difficulty: Difficulty | null;
  /** The part that is withheld; absent: none. */
  readonly ablation?: Withheld | undefined;
}

/** The one form of a probe that has the model write. */
interface GenerationForm {
  readonly probe: GenerationProbe;
  readonly difficulty: null;
  readonly ablation?: undefined;
}

/** One form of one probe: what a row of the summary is about. */
export type ProbeForm = ChoiceForm | GenerationForm;

export function isChoiceForm<F extends ProbeForm>(form: F): form is F & ChoiceForm {
  return form.probe.kind === "choice";
}

export function isGenerationForm<F extends ProbeForm>(form: F): form is F & GenerationForm {
  return form.probe.kind === "generation";
}

/**
 * The forms asked for, in order: task by task, easy before hard; then those with options once more for each ablation. A
 * probe without difficulties has one form.
 */
export function probeForms(
  probes: readonly ProbeDefinition[],
  difficulties: readonly Difficulty[],
  ablations: readonly Withheld[] = [],
): ProbeForm[] {
  const forms = wholeForms(probes, difficulties);
  const ablated = ablations.flatMap((ablation) => forms.filter(isChoiceForm).map((form) => ({ ...form, ablation })));
  return [...forms, ...ablated];
}

/** The forms of which nothing is withheld. */
function wholeForms(probes: readonly ProbeDefinition[], difficulties: readonly Difficulty[]): ProbeForm[] {
  return probes.flatMap((probe): ProbeForm[] => {
    if (probe.kind === "generation") return [{ probe, difficulty: null }];
    if (probe.difficulties.length === 0) return [{ probe, difficulty: null }];
    return probe.difficulties.filter((d) => difficulties.includes(d)).map((difficulty) => ({ probe, difficulty }));
  });
}

/** Asked once of every example, in their order: whether its questions are wanted. The others keep their places. */
export type IsWanted = (example: Example) => boolean;

const all: IsWanted = () => true;

/**
 * All multiple-choice questions about the examples: those of one example follow each other, so that an engine's prefix
 * cache serves the whole stem.
 */
export async function* buildQuestions(
  examples: AsyncIterable<Example> | Iterable<Example>,
  forms: readonly ProbeForm[],
  isWanted: IsWanted = all,
): AsyncGenerator<Question> {
  let index = 0;
  const choiceForms = forms.filter(isChoiceForm);
  for await (const example of examples) {
    const asked = choiceForms.filter((form) => isAsked(form, example));
    if (isWanted(example)) for (const [i, form] of asked.entries()) yield buildQuestion(index + i, example, form);
    index += asked.length;
  }
}

export function buildQuestion(index: number, example: Example, { probe, difficulty, ablation }: ChoiceForm): Question {
  const options = probe.options(example, difficulty);
  if (options.length !== probe.optionCount || new Set(options).size < options.length) {
    throw new Error(`${probe.task} of example ${example.id}: expected ${probe.optionCount} distinct options.`);
  }
  const place = placeOf(index, example, probe);
  return { ...place, stem: withhold(place.stem, ablation), difficulty, ...ablationField(ablation), options };
}

/** All open questions about the examples, in the order of the examples. */
export async function* buildOpenQuestions(
  examples: AsyncIterable<Example> | Iterable<Example>,
  forms: readonly ProbeForm[],
  isWanted: IsWanted = all,
): AsyncGenerator<OpenQuestion> {
  let index = 0;
  const generationForms = forms.filter(isGenerationForm);
  for await (const example of examples) {
    const asked = generationForms.filter(({ probe }) => probe.isEligible(example));
    if (isWanted(example)) {
      for (const [i, { probe }] of asked.entries()) yield buildOpenQuestion(index + i, example, probe);
    }
    index += asked.length;
  }
}

function buildOpenQuestion(index: number, example: Example, probe: GenerationProbe): OpenQuestion {
  return {
    ...placeOf(index, example, probe),
    reference: probe.reference(example),
    preReview: probe.preReview(example),
    stop: probe.stop(example),
    maxTokens: probe.maxTokens,
  };
}

function placeOf(index: number, example: Example, probe: ProbeDefinition) {
  return {
    index,
    task: probe.task,
    exampleId: example.id,
    language: example.language,
    changeType: example.changeType,
    stem: probe.stem(example),
  };
}

/** Tells whether a question of this form is asked of an example: it suits the probe, and nobody dropped it by hand. */
export function isAsked({ probe, difficulty }: Pick<ProbeForm, "probe" | "difficulty">, example: Example): boolean {
  return probe.isEligible(example) && example.notAsked?.includes(formName({ task: probe.task, difficulty })) !== true;
}

/** Text of the prompt in place of a withheld part. */
const NOT_SHOWN = "(not shown)";

/** The values of a stem that an ablation takes away. */
export const WITHHELD_VALUES: Readonly<Record<Withheld, readonly string[]>> = {
  review: ["code_review"],
  code: ["code_snippet"],
  both: ["code_review", "code_snippet"],
};

/** The stem without the review, the code, or both (spec §5, *Ablations*); the options are no part of it and stay. */
function withhold(stem: StemValues, ablation: Withheld | undefined): StemValues {
  if (ablation === undefined) return stem;
  return { ...stem, ...Object.fromEntries(WITHHELD_VALUES[ablation].map((name) => [name, NOT_SHOWN])) };
}
