import { createHash } from "node:crypto";
import { sum } from "simple-statistics";
import { badInput } from "../../../base/errors.js";
import { isInShard, type Shard } from "../../../base/shard.js";
import { readExamples, type Selection } from "../../../dataset/dataset-file.js";
import type { Difficulty, Example } from "../../../dataset/example.js";
import type { ConnectionOptions, PromptMode } from "../../../model/model.js";
import type { Price } from "../../../model/prices.js";
import type { Think } from "../../../model/requests.js";
import type { ResolvedModel } from "../../../model/resolved-model.js";
import type { Withheld } from "../../../question/form.js";
import type { ProbeFile } from "../../../question/own-probe.js";
import { orderCount } from "../../../question/permutations.js";
import type { PromptTemplate } from "../../../question/prompt.js";
import {
  type IsWanted,
  isAsked,
  isChoiceForm,
  isGenerationForm,
  type ProbeForm,
} from "../../../question/question-build.js";
import type { RunDesign } from "../record/run-file.js";

/** Request for `probe run`, checked and complete. */
export interface RunRequest {
  readonly model: ResolvedModel;
  /** Tasks in the order in which they were named; none: those with options to choose from. */
  readonly tasks: readonly string[];
  readonly difficulties: readonly Difficulty[];
  /** Parts withheld when the multiple-choice questions are asked once more; absent: they are not. */
  readonly ablate?: readonly Withheld[];
  /** Path of the data, or `starter`. */
  readonly dataset: string;
  readonly selection: Selection;
  /** The share of the examples that is asked about; `null` or absent: all. */
  readonly shard?: Shard | null;
  readonly promptMode: PromptMode;
  readonly mode: "fast" | "exact";
  readonly connection: ConnectionOptions;
  /** `null` when it is not known. */
  readonly price: Price | null;
  readonly earlyStop: boolean;
  /** The order that is asked first, where questions stop early; absent: that of the options' indices. */
  readonly firstOrder?: "random";
  /** Absent: every order once. */
  readonly design?: RunDesign;
  /** Absent: nothing is said of thoughts. */
  readonly think?: Think;
  /** Parts of the thoughts after each of which the letter is read; absent: none. */
  readonly trace?: number;
  /** `decided`: a form is asked until its verdict cannot be chance; absent: all of it. */
  readonly until?: "decided";
  /** The most that the run may cost, in the currency of the price; absent: anything. */
  readonly maxCost?: number;
  /** Set where it is asked in batches. */
  readonly batch?: true;
  /** Minutes after which batches under way are left; absent: they are waited for. */
  readonly batchWait?: number;
  readonly skipInvalid: boolean;
  /** Modules with probes of one's own. */
  readonly probes: readonly ProbeFile[];
  /** Count of these, the first ones, that are asked when no task is named; none: the shipped probes are. */
  readonly namedProbes: number;
}

/** A probe form with its template and how many questions it will ask. */
export type PlannedForm = ProbeForm & {
  readonly template: PromptTemplate;
  readonly questions: number;
  /** Selected examples that this probe cannot ask about. */
  readonly skipped: number;
  /** Orders that each question is asked under; none where the model writes. */
  readonly orders: number;
};

/** Questions and generations of a whole run, or of a share of it. */
export interface PlanCounts {
  readonly forms: readonly PlannedForm[];
  /** Selected examples; of a share, those that it asks about. */
  readonly examples: number;
  /** Multiple-choice questions. */
  readonly questions: number;
  /** Orders over all of them. */
  readonly plannedAnswers: number;
  /** Open questions: each gets one generation. */
  readonly generations: number;
}

/** A form that is not counted yet. */
type UncountedForm = ProbeForm & { readonly template: PromptTemplate };

/** Forms, and how each of their questions is asked. */
interface Designed {
  readonly forms: readonly UncountedForm[];
  readonly design: RunDesign;
}

/** Parts of a dataset that are counted. */
interface Counting {
  readonly path: string;
  readonly selected: ReadonlySet<number>;
  readonly shard: Shard | null;
  /** Called of every question. */
  readonly check: (example: Example, form: ProbeForm) => void;
}

/** Counts of a plan, and SHA-256 over the ids of all selected examples, in order. */
interface CountedPlan {
  readonly whole: PlanCounts;
  /** Counts of the share; without one, of the whole. */
  readonly own: PlanCounts;
  readonly idsSha256: string;
}

/**
 * Counts what the forms ask about the selected examples, and what the share does of it.
 * @throws ProbeError `bad_input` when there are more shares than examples
 */
export async function countPlan(designed: Designed, { path, selected, shard, check }: Counting): Promise<CountedPlan> {
  const { forms } = designed;
  const [all, mine] = [forms.map(() => 0), forms.map(() => 0)];
  const [ids, isMine] = [createHash("sha256"), shareOf(forms, shard)];
  let [asked, own] = [0, 0];
  for await (const example of readExamples(path, selected)) {
    ids.update(`${example.id}\n`);
    const share = isMine(example) ? 1 : 0;
    asked += isAskedAbout(forms, example) ? 1 : 0;
    own += share;
    for (const [i, form] of forms.entries()) {
      if (!isAsked(form, example)) continue;
      all[i] = (all[i] ?? 0) + 1;
      mine[i] = (mine[i] ?? 0) + share;
      check(example, form);
    }
  }
  requireEnough(shard, asked);
  return {
    whole: countsOf(designed, all, selected.size),
    own: countsOf(designed, mine, shard === null ? selected.size : own),
    idsSha256: ids.digest("hex"),
  };
}

function requireEnough(shard: Shard | null, asked: number): void {
  if (shard === null || asked === 0 || shard.count <= asked) return;
  throw badInput(
    `Expected --shard i/n with n up to ${asked}, as many as there are examples to ask about, found ${shard.count}. ` +
      "Split the run into fewer.",
  );
}

function countsOf({ forms, design }: Designed, byForm: readonly number[], examples: number): PlanCounts {
  const counted = forms.map((form, i): PlannedForm => {
    const questions = byForm[i] ?? 0;
    const orders = isChoiceForm(form) ? orderCount(design.orders, form.probe.optionCount) : 0;
    return { ...form, questions, skipped: examples - questions, orders };
  });
  return {
    forms: counted,
    examples,
    questions: sum(counted.filter(isChoiceForm).map(({ questions }) => questions)),
    plannedAnswers: sum(counted.map((form) => answersOf(form, design))),
    generations: sum(counted.filter(isGenerationForm).map(({ questions }) => questions)),
  };
}

/** Answers that a form asks for over all its questions; none for one that generates. */
export function answersOf({ questions, orders }: PlannedForm, { repeats }: Pick<RunDesign, "repeats">): number {
  return questions * orders * repeats;
}

/** Tests if any form asks about an example. */
function isAskedAbout(forms: readonly ProbeForm[], example: Example): boolean {
  return forms.some((form) => isAsked(form, example));
}

/**
 * The examples of a share, whole: every so many of those that any form asks about, so that no share is empty while there
 * are enough. To be asked once of every example, in their order.
 */
export function shareOf(forms: readonly ProbeForm[], shard: Shard | null | undefined): IsWanted {
  if (shard == null) return () => true;
  let position = 0;
  return (example) => isAskedAbout(forms, example) && isInShard(shard, position++);
}
