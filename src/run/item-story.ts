import type { BlockSection } from "../report/page.js";

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
