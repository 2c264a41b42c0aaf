import type { Difficulty, Example } from "../../../dataset/example.js";
import { FloorsOfForm, type FormFloors, wordGroupOf } from "../../../question/floors/floors.js";
import { floorsOfExamples } from "../../../question/floors/rules.js";
import { formName } from "../../../question/form.js";
import { type OrderDesign, orderCount } from "../../../question/permutations.js";
import { isChoiceForm, type ProbeForm } from "../../../question/question-build.js";
import { type ReaderNeeds, readerNeeds } from "../../../verdict/power.js";
import { rivalsOf } from "../metric/form-judgement.js";

/** Knowledge that the questions of a form take for a verdict. */
export interface FormNeeds extends ReaderNeeds {
  readonly task: string;
  readonly difficulty: Difficulty | null;
  readonly questions: number;
  /** Examples, or tasks where these are hunks of tasks. */
  readonly clusters: number;
  /** Questions that the fitted lexical rule gets wrong; `null` where none was fitted. */
  readonly wordsFail: number | null;
}

interface NeedsOptions {
  readonly isOneOrder?: boolean;
  readonly isSequential?: boolean;
  readonly orders?: OrderDesign;
}

/**
 * Needs of each form that is chosen from options, with nothing withheld, on these very examples; only forms that have rules.
 * @param options `isOneOrder`: mean accuracy is of one order a question (`--early-stop`); `isSequential`: `--until decided`
 */
export async function needsOfForms(
  examples: AsyncIterable<Example> | Iterable<Example>,
  forms: readonly ProbeForm[],
  { isOneOrder = false, isSequential = false, orders = "all" }: NeedsOptions = {},
): Promise<FormNeeds[]> {
  const whole = forms.filter((form) => isChoiceForm(form) && form.ablation === undefined);
  const asked = new Map(whole.map((form) => [nameOf(form), { floors: new FloorsOfForm(), clusters: [] as string[] }]));
  for await (const { floors } of floorsOfExamples(examples, whole)) {
    const own = asked.get(formName(floors));
    own?.floors.add(floors);
    own?.clusters.push(floors.cluster ?? floors.exampleId);
  }
  return whole.flatMap((form): FormNeeds[] => {
    const own = asked.get(nameOf(form));
    if (own === undefined || own.clusters.length === 0 || !isChoiceForm(form)) return [];
    const { optionCount, task } = form.probe;
    const floors = own.floors.fitted();
    const ruled = rivalsOf(floors, optionCount);
    if (ruled === null) return [];
    const { clusters } = own;
    const needs = readerNeeds({
      optionCount,
      clusters,
      rivals: ruled.all,
      orders: orderCount(orders, optionCount),
      isOneOrder,
      isSequential,
    });
    const { difficulty } = form;
    const wordsFail = countWordsFail(floors);
    return [{ task, difficulty, questions: clusters.length, clusters: new Set(clusters).size, wordsFail, ...needs }];
  });
}

function countWordsFail({ questions }: FormFloors): number | null {
  const groups = questions.map(wordGroupOf);
  return groups.includes(null) ? null : groups.filter((group) => group === "do_not_suffice").length;
}

function nameOf({ probe, difficulty }: ProbeForm): string {
  return formName({ task: probe.task, difficulty });
}
