import type { BlockSection, PagePart } from "../report/page.js";
import type { RunVerdicts } from "../verdict/verdict.js";

/** Choice of one item of a run; `null`: the first that there is. */
export interface ItemChoice {
  /** Such as the id of a task. */
  readonly item: string;
  readonly condition: string | null;
  readonly trial: number | null;
  /** Agent, such as a control; `null`: the one that the run is about. */
  readonly agent: string | null;
}

/** One item of a run by itself, for a terminal and as a page. */
export interface ItemStory {
  readonly title: string;
  /** In a few words each. */
  readonly facts: readonly string[];
  readonly sections: readonly BlockSection[];
  /** Content of `--json`. */
  readonly document: object;
}

/** Request for a page or a table. */
export interface PageRequest {
  /** Folders of runs, at least one. */
  readonly runs: readonly string[];
  /** Further folders that belong to them. */
  readonly others: readonly string[];
  /** Files of `--dataset`. */
  readonly datasets: readonly string[];
}

/** A page of a suite's own, and what is known of its runs. */
export interface SuitePage {
  readonly part: PagePart;
  /** Verdicts of the runs, in the order of the folders. */
  readonly runs: readonly RunVerdicts[];
  /** Notes for the reader, in sentences. */
  readonly notes: readonly string[];
  /** Entry of the further folders in `--json`. */
  readonly others: object;
}
