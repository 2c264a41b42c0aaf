import type { Estimate } from "../stats/interval.js";
import type { Judgement } from "./judgement.js";

/**
 * Outcome of one item of a run: a question, a generation, a trial. Comparison, CI reports and leaderboards know nothing
 * else of a suite.
 */
export interface Verdict {
  /** Name of the form it is of, such as `CL hard`. */
  readonly form: string;
  /** Name of the item within its form, such as an example's id; the same in every run over the same data. */
  readonly item: string;
  /** Items of one cluster go together, such as the questions about one example. */
  readonly cluster: string;
  /** Groups by name, such as `language`, for tables. */
  readonly groups: Readonly<Record<string, string>>;
  /** `null`: there is nothing to judge. */
  readonly passed: boolean | null;
  /** Not passed only because something failed or is missing. */
  readonly lost: boolean;
  /** Further measures by name; `null` where there is none. */
  readonly values: Readonly<Record<string, number | null>>;
  /** SHA-256 of what was asked: equal in two runs that asked the same. `null` where that is not known. */
  readonly asked: string | null;
}

/** A number about all items of a form, with its 95 % interval where it has one. */
export interface FormMeasure {
  readonly metric: string;
  readonly value: number | null;
  readonly ciLow: number | null;
  readonly ciHigh: number | null;
  readonly n: number;
}

/** A share 0–1, which is what is meant where none is told; any other number; or one of which a decimal is enough. */
export type ValueUnit = "share" | "number" | "amount";

/** A number of a form that leaderboards show beside its score. */
export interface FormColumn {
  /** Name in tables, such as `plurality_agreement`. */
  readonly id: string;
  readonly label: string;
  /** Number in its unit. */
  readonly value: number | null;
  readonly unit?: ValueUnit;
  /** Distances from values that mean nothing, in the unit of the value. */
  readonly distances: readonly { readonly id: string; readonly value: number | null }[];
}

/** A score on the items of a form that takes no comprehension. */
export interface FormFloor {
  /** The same for the like floor of every form, such as `no_read`. */
  readonly id: string;
  /** Name in words, such as `no-read rule`. */
  readonly title: string;
  /** Share passed, 0–1. */
  readonly value: number;
  /** Rule that reaches it, such as `medoid`; `null` where the title says so. */
  readonly rule: string | null;
}

/**
 * Way in which a form is asked.
 * - `choice`: options are chosen from, and answers may be unreadable
 * - `generation`: a text is written
 * - `trial`: an agent works on a task
 */
export type FormKind = "choice" | "generation" | "trial";

/** A form of a run: items that are scored alike. */
export interface VerdictForm {
  readonly kind: FormKind;
  readonly name: string;
  readonly task: string;
  readonly difficulty: string | null;
  readonly ablation: string;
  /** Orders of each question, where these are not all: its score is easier, and another. */
  readonly orders?: { readonly asked: number; readonly all: number };
  readonly title: string;
  /** Plural of an item, as sentences count them: `questions`, `generations`, `trials`. Nothing is decided by it. */
  readonly items: string;
  /** Plural of its records, such as `answers`, and their counts. */
  readonly records: {
    readonly name: string;
    readonly planned: number;
    readonly recorded: number;
    readonly failed: number;
    /** Failures of the whole run, by cause. */
    readonly failures: Readonly<Record<string, number>>;
    /** Failures among these that asking again does not mend, and what does; absent: none. */
    readonly lasting?: { readonly failures: number; readonly advice: string };
    /** Fewer than planned is as it should be, such as after --early-stop. */
    readonly mayBeFewer: boolean;
  };
  /** The metric that is the share of items passed, such as `invariant_accuracy`, and its name in words. */
  readonly score: { readonly metric: string; readonly title: string };
  /** The measures of an item that are compared as means, by name. */
  readonly values: readonly { readonly name: string; readonly title: string; readonly unit?: ValueUnit }[];
  /** Columns of a leaderboard beside the score. */
  readonly columns: readonly FormColumn[];
  /** Group by which a leaderboard splits the score; `null`: none. */
  readonly groupBy: string | null;
  /** Such as `Table 9`, where a paper has the like. */
  readonly paperTable: string | null;
  /** Forms of one pool are also compared together; `null`: not with others. */
  readonly pool: string | null;
  /** `null`: the form is a control, whose result is part of the judgement of another. */
  readonly judgement: Judgement | null;
  /** Judgement of each group, by name; absent: no group is judged. */
  readonly groupJudgements?: Readonly<Record<string, Judgement>>;
  /** From the least that means nothing to the most; without them there is but the one of the judgement. */
  readonly floors?: readonly FormFloor[];
  /** Every overall number of the form. */
  readonly measures: readonly FormMeasure[];
}

/** Such as `CL easy`, or `CL easy, 4 of 24 orders` where these are not all: forms of the same are compared. */
export function formLabel({
  name,
  orders,
}: {
  readonly name: string;
  readonly orders?: VerdictForm["orders"];
}): string {
  return orders === undefined ? name : `${name}, ${orders.asked} of ${orders.all} orders`;
}

/** Evidence, besides floors, that the scores of a run are real: its tests, its data, its judge. */
export interface RealityFact {
  /** Such as `tasks whose own tests hold`. */
  readonly title: string;
  /** A share 0–1; `null`: not measured. */
  readonly share: Estimate | null;
  readonly state: "good" | "doubtful" | "bad" | "unknown";
  /** The finding in words, or what to do where it was not measured. */
  readonly text: string;
}

/** A fact about the data of some runs that another folder tells, such as one of an audit. */
export interface DataFact {
  readonly folder: string;
  readonly suite: string;
  readonly model: string;
  /** First digits of the SHA-256 of the data. */
  readonly data: string;
  readonly fact: RealityFact;
}

/** A run as its verdicts tell it. */
export interface RunVerdicts {
  readonly runId: string;
  readonly folder: string;
  readonly suite: string;
  readonly model: string;
  /** When it was made, as ISO 8601. */
  readonly createdAt: string;
  readonly durationMs: number;
  /** Doubts in the whole run, in sentences. */
  readonly warnings: readonly string[];
  /** SHA-256 of the data that it is about; absent: it is not told here. */
  readonly data?: string;
  /** Absent: nothing is known. */
  readonly reality?: readonly RealityFact[];
  /** Rules that its scores were made by, in a few words each, where there have been several; absent: there has been one. */
  readonly rules?: readonly string[];
  /** Result of the check of its server, in a sentence; `null` without a server. */
  readonly server: { readonly passed: boolean; readonly text: string } | null;
  readonly forms: readonly VerdictForm[];
  /** Some of it is left to ask or make: scores are of what came so far; absent: nothing is. */
  readonly isUnfinished?: true;
  /** Items are left unasked once the verdict of their form is decided; absent: none is. */
  readonly isSequential?: true;
  /** Verdicts in the order of the run. */
  readonly verdicts: readonly Verdict[];
}

/**
 * A run's verdicts, marked where something is left to ask or make.
 * @param unfinished what is left, in words; `null`: nothing
 */
export function markUnfinished(verdicts: RunVerdicts, unfinished: string | null): RunVerdicts {
  return unfinished === null ? verdicts : { ...verdicts, isUnfinished: true };
}

/** Name of what a verdict is about, the same in every run over the same data: such as `CL hard 0123456789ab`. */
export function verdictName({ form, item }: Pick<Verdict, "form" | "item">): string {
  return `${form} ${item}`;
}
