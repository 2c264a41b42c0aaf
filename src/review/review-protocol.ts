import type { Choice, QuestionReason, Reason, ShownReason } from "./decision.js";
import type { DiffRow } from "./diff-rows.js";

export type { Refused } from "../serve/serve-until-interrupted.js";

/** Messages between page and server, as JSON. Types only: the page's scripts import nothing else of ours. */

/** A decision as the page shows it. */
export type Verdict = Choice & { readonly note: string };

interface ListedExample {
  readonly id: string;
  readonly verdict: Verdict | null;
}

/** `GET api/state`. */
export interface ReviewState {
  /** Name of the data file. */
  readonly file: string;
  /** File of the decisions. */
  readonly savedTo: string;
  readonly annotator: string;
  /** Reasons in the order of their keys, 1 to 7. */
  readonly reasons: readonly ShownReason<Reason>[];
  /** Reasons for dropping one question though its example is kept. */
  readonly questionReasons: readonly ShownReason<QuestionReason>[];
  /** Examples in file order. */
  readonly examples: readonly ListedExample[];
}

export interface ShownQuestion {
  /** Such as `SI hard`. */
  readonly form: string;
  /** Reason of the drop; `null`: it is kept. */
  readonly dropped: QuestionReason | null;
  readonly task: string;
  readonly title: string;
  readonly difficulty: string | null;
  /** Sources of the distractors, where they are known. */
  readonly origin: string | null;
  /** The right option first. */
  readonly options: readonly ShownOption[];
}

export interface ShownOption {
  readonly text: string;
  /** Origin of a distractor. */
  readonly detail: string | null;
  /** Difference from the right one (of the right one: from any other): start and end, in UTF-16 units. */
  readonly emphasis: readonly [number, number] | null;
}

export type ShownQuestions =
  | { readonly status: "none" }
  | { readonly status: "invalid"; readonly problems: readonly string[] }
  | {
      readonly status: "ready";
      readonly questions: readonly ShownQuestion[];
      /** Reasons for missing questions, by task. */
      readonly notBuilt: Readonly<Record<string, string>>;
    };

/** Somebody's decision about an example that is shown to those who resolve a conflict. */
export type EarlierVerdict = Verdict & {
  readonly annotator: string;
  /** Questions that they dropped alone: who resolves the conflict decides about these, too. */
  readonly questions: readonly { readonly form: string; readonly reason: QuestionReason }[];
};

/** A line of the revision. */
export interface ShownRow extends DiffRow {
  /** Stretches to colour, such as `k0.2 n5.1`: colour, start and length in base 36. */
  readonly colours: string;
}

/** `GET api/examples/<position from 0>`. */
export interface ShownExample {
  readonly id: string;
  /** Name of the language in the prompts. */
  readonly language: string;
  readonly repo: string | null;
  readonly source: string | null;
  readonly license: string | null;
  readonly review: string;
  readonly rows: readonly ShownRow[];
  readonly questions: ShownQuestions;
  readonly earlier: readonly EarlierVerdict[];
  readonly verdict: Verdict | null;
  readonly note: string;
}

/** Reply to `POST api/decisions` and `POST api/notes`, after the line is on disk. */
export interface Saved {
  readonly saved: true;
  /** The decision as it stands now. */
  readonly verdict: Verdict | null;
}
