import type { z } from "zod";
import type { OptionTable } from "../console/option.js";
import type { Block } from "../report/block.js";
import type { RunRecord } from "../run/run-record.js";
import type { Opened, Opening, Performance, PlannedJournal, Preview, StoredRun } from "../run/suite.js";
import type { RealityFact } from "../verdict/verdict.js";
import type { BenchTask } from "./bench-task.js";
import type { Lead } from "./make/attempt-lead.js";
import type { OwnTable } from "./score/own-table.js";
import type { ScoreDoubt } from "./score/score-doubt.js";
import type { TrialValues } from "./trial-options.js";
import type { TrialRecord } from "./trial-records.js";
import { type TrialRequest, type TrialRun, trialRunSchema } from "./trial-run.js";

/** The suite's own fields of `run.json`. */
type OwnFields<Run extends RunRecord> = Omit<Run, keyof RunRecord>;

/** The trials that a run is to make, before a part adds to them. */
export interface TrialPlan<Task extends BenchTask> {
  /** Tasks in the order of the run, all shares together. */
  readonly tasks: readonly Task[];
  readonly own: OwnFields<TrialRun>;
  readonly shard: TrialRun["shard"];
}

/** The plan of a part for one run. */
export interface PartPlan<Run extends TrialRun = TrialRun> {
  readonly own: OwnFields<Run>;
  /**
   * Opens a model of its own, such as a judge; absent: it needs none.
   * @throws ProbeError `bad_input`, `model_unavailable`
   */
  open?(opening: Opening): Promise<Opened<Run>>;
  /** Answers questions that come before the work of an attempt; absent, or `null`: nobody does. */
  adviser?(lead: Lead): Lead["ask"];
  /** Work after the trials; absent: none. */
  perform?(session: Performance): Promise<void>;
  /** Calls and tokens of the part, for `--dry-run`. */
  preview(): Promise<Preview>;
}

/** The results of a part for one run. */
export interface PartScore {
  /** The trial with all its scores. */
  scored(record: TrialRecord): TrialRecord;
  readonly tables: readonly OwnTable[];
  /** Fault of a trial that the part found first, in a sentence; `null`: none. Absent: it finds none. */
  readonly faultOf?: (record: TrialRecord) => string | null;
  /** Work that is left, in words; `null`: none. */
  readonly unfinished: string | null;
  readonly warnings: readonly string[];
  readonly reality: readonly RealityFact[];
  /** Doubt about every score with `isJudged`; `null`: none. */
  readonly doubt: ScoreDoubt | null;
  readonly blocks: readonly Block[];
  /** Members of the `--json` document. */
  readonly document: object;
}

/** A section of a page about one run; none where it has no blocks. */
export interface RunSection<Run extends TrialRun = TrialRun> {
  /** Behind the suite's name in the fragment of the page. */
  readonly id: string;
  /** Heading above the section, for a run of this model. */
  title(model: string): string;
  /** Content of the section; none: the section is left out. */
  blocks(stored: StoredRun<Run>): Promise<Block[]>;
}

/**
 * A part of a suite of agents besides its adapter, such as a judge: it adds to each list of the suite, behind what the
 * trials have.
 */
export interface SuitePart<
  Task extends BenchTask = BenchTask,
  Values extends TrialValues = TrialValues,
  Run extends TrialRun = TrialRun,
> {
  readonly schema: z.ZodType<Run>;
  readonly options: OptionTable;
  /** Parameters of `Suite.manner`. */
  readonly manner: readonly string[];
  /** Facts of `Suite.data`. */
  data(run: Run): Readonly<Record<string, string | number | boolean | null>>;
  /** Journals of the part, besides that of the trials. */
  journals(run: Run): readonly PlannedJournal[];
  /** @throws ProbeError `bad_input` */
  plan(trials: TrialPlan<Task>, request: TrialRequest<Values, Run>): Promise<PartPlan<Run>>;
  /**
   * Scores and blocks of the part, from its journals.
   * @param records trials as the journal has them
   */
  score(stored: StoredRun<Run>, records: readonly TrialRecord[]): Promise<PartScore>;
  readonly sections: readonly RunSection<Run>[];
}

/** A part without results of its own. */
export const NO_SCORE: PartScore = {
  scored: (record) => record,
  tables: [],
  unfinished: null,
  warnings: [],
  reality: [],
  doubt: null,
  blocks: [],
  document: {},
};

/** The part of a suite that has none. */
export const NO_PART: SuitePart = {
  schema: trialRunSchema,
  options: {},
  manner: [],
  data: () => ({}),
  journals: () => [],
  plan: async ({ own }) => ({ own, preview: async () => ({ blocks: [], document: {} }) }),
  score: async () => NO_SCORE,
  sections: [],
};
