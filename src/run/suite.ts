import type { z } from "zod";
import type { Shard } from "../base/shard.js";
import type { OptionTable, ParameterValue } from "../console/option.js";
import type { ConnectionOptions, Model, ModelIdentity, PromptMode } from "../model/model.js";
import type { Price } from "../model/prices.js";
import type { Capability, Think } from "../model/requests.js";
import type { ResolvedModel } from "../model/resolved-model.js";
import type { Block } from "../report/block.js";
import type { TableSet } from "../report/verdicts/table-set.js";
import type { FolderCodec } from "../store/journal/codec.js";
import type { PlacePlan } from "../store/journal/slots.js";
import type { Table, TableDescription, TableRows } from "../store/table.js";
import type { FormNames } from "../verdict/gate.js";
import type { DataFact, RunVerdicts } from "../verdict/verdict.js";
import type { FailureGuard } from "./asking.js";
import type { RecordedShard, RunRecord } from "./run-record.js";
import type { ItemChoice, ItemStory, PageRequest, SuitePage } from "./suite-page.js";

/**
 * A kind of evaluation: what it takes, what it asks, how it judges. Everything else (folders, journals, locks, resuming,
 * tables on disk, comparison, CI reports, leaderboards, pages) is the same for all of them and knows none.
 */
export interface Suite<Values, Run extends RunRecord> {
  readonly name: string;
  readonly title: string;
  /** Options besides the model and those of every run. */
  readonly options: OptionTable;
  /** `run.json` of its runs: what every run has, and its own. */
  readonly schema: z.ZodType<Run>;

  /**
   * Subject of a run without a model, such as an agent that brings its own; absent or `null`: the model of
   * `--model`.
   * @param label of `--model`; `null`: none was named
   * @throws ProbeError `bad_input`
   */
  subject?(values: Values, label: string | null): Promise<Subject | null>;

  /**
   * Reads and checks everything, and counts what will be asked: bad input ends here, before anything is paid for.
   * @throws ProbeError `bad_input`
   */
  plan(request: SuiteRequest<Values, Run>): Promise<SuitePlan<Run>>;

  /** Data of a run, flat: with model, parameters and prompts they are its identity. */
  data(run: Run): Readonly<Record<string, string | number | boolean | null>>;

  /** The journals of a recorded run, and how much each was to hold. */
  journals(run: Run): readonly PlannedJournal[];

  /** Further content of its runs' folders, besides record and journals, for `probe merge`; absent: none. */
  readonly besides?: readonly RunPart[];

  /**
   * Scores a run from its journals alone: no model, no data, no network.
   * @param write writes a table of the run, or lets its rows pass by where nothing is to be written
   */
  score(stored: StoredRun<Run>, write: WriteTable): Promise<SuiteScore<Run>>;

  /**
   * Counts the calls, cost and time of a run; asks no server anything.
   * @param asksServer a few questions may be asked of one, to measure the time
   */
  preview?(request: SuiteRequest<Values, Run>, asksServer: boolean): Promise<Preview>;

  /** The files that are read of a folder that is no run but belongs on a page with its runs, such as one of an audit; `null`: of another. */
  otherRecords?(folder: string): Promise<readonly string[] | null>;

  /** Facts in such folders on the data of other suites' runs; absent: none. */
  dataFacts?(folders: readonly string[]): Promise<readonly DataFact[]>;

  /** Makes its part of a report's page; absent: each run's results, and a leaderboard. */
  page?(request: PageRequest): Promise<SuitePage>;

  /**
   * One item of a run by itself, such as a trial; absent: it shows none.
   * @throws ProbeError `bad_input` where there is no such item
   */
  tell?(stored: StoredRun<Run>, choice: ItemChoice): Promise<ItemStory>;

  /** Anchor at which its page shows an item of a form by itself: a fragment, with `#`. Absent: none. */
  anchor?(form: string, item: string): string | Promise<string>;

  /** Tables of its own for `report --table`, besides `scores` and `languages`, which every suite has. */
  readonly tables?: SuiteTables;

  /**
   * Reasons why two runs are not about the same, a line each, by `run.json`: data and forms; prompts are compared
   * besides.
   */
  dataDifferences(baseline: Run, candidate: Run): readonly string[] | Promise<readonly string[]>;

  /** Plurals of its forms' items, such as `questions`, `generations`, in the order in which they are counted. */
  readonly items: readonly string[];

  /** Names of the shares and means that runs are compared by, in the order in which `--json` prints them. */
  readonly measures: readonly string[];

  /** Parameters that say how the same was asked: a comparison of runs that differ in them says so. */
  readonly manner: readonly string[];
}

/** Makers of tables by the names in its entry. */
type SuiteTables = Readonly<Record<string, (request: PageRequest) => Promise<TableSet>>>;

/** Content of `--dry-run`. */
export interface Preview {
  readonly blocks: readonly Block[];
  readonly document: object;
}

/** A suite whose values and records nobody outside it looks into. */
export type AnySuite = Suite<unknown, RunRecord>;

/** Subject of a run in place of a model: its name and its identity. */
export interface Subject {
  readonly label: string;
  readonly identity: ModelIdentity;
}

/** Request to open a model. */
export interface ModelRequest {
  readonly model: ResolvedModel;
  /** Set where no model is opened: `model` has its name alone. */
  readonly subject?: Subject | null;
  readonly connection: ConnectionOptions;
  readonly promptMode: PromptMode;
  /** `null` when it is not known. */
  readonly price: Price | null;
}

export interface SuiteRequest<Values, Run extends RunRecord = RunRecord> extends ModelRequest {
  readonly values: Values;
  /** The share that is asked for; `null` or absent: the whole run. */
  readonly shard?: Shard | null;
  /** Queue of workers that have the model, as `--queue` names it; `null` or absent: it is opened here. */
  readonly queue?: string | null;
  /** The run to resume (`--resume`); `null`: a new one. */
  readonly resumed: Run | null;
  /** Options that were given now; a resumed run has the others. */
  readonly named: ReadonlySet<string>;
  /** Folder of `probe.config.json`, from which relative paths start. */
  readonly workingDirectory: string;
  /** Tells the user a sentence. */
  readonly warn: (message: string) => void;
}

/** Everything a run will do, known before the first call. */
export interface SuitePlan<Run extends RunRecord = RunRecord> {
  /** Abilities that the model must have. */
  readonly needs: readonly Capability[];
  /** Parameters of the run besides the model, kept in `run.json`; part of its identity. */
  readonly parameters: Readonly<Record<string, ParameterValue>>;
  readonly prompts: RunRecord["prompts"];
  /** The suite's own fields of `run.json`, for a run that is about to begin. */
  readonly own: Omit<Run, keyof RunRecord>;
  /** The share that it performs, as `run.json` keeps it; absent: the whole run. */
  readonly shard?: RecordedShard;
  /** Fixed settings besides the options, such as the temperature; kept in `run.json` behind the parameters. */
  readonly limits: Readonly<Record<string, ParameterValue>>;
  /** Names of the forms that will have a verdict; absent: told by the scores alone. */
  readonly forms?: readonly FormNames[];
  /**
   * Opening of the model. `optionCount`: the most options of a question, where it asks any; `offByDefault`: in a run that
   * begins, or was begun so.
   */
  readonly opening: {
    readonly mode: "fast" | "exact";
    readonly seed: number;
    readonly optionCount?: number;
    readonly think?: Think;
    readonly offByDefault?: true;
    readonly batch?: true;
  };
  /** Set where money is reserved for every request before it is sent. */
  readonly isReserved?: true;
  /** Price of what is asked; absent: that of the model. */
  readonly price?: Price | null;
  /** Facts of the subject in the model's place that are found out only now; part of its identity. */
  readonly facts?: ModelIdentity;
  /**
   * Opens what the work needs besides the model, such as a judge, before its folder is chosen; absent: nothing.
   * @throws ProbeError `bad_input`, `model_unavailable`
   */
  open?(opening: Opening): Promise<Opened<Run>>;
  /**
   * Does what the journals do not hold yet. Ends when all is done, the signal stops it, the guard gives the model up, or it
   * leaves the rest.
   */
  perform(session: Performance): Promise<void>;
}

/** Reason why a session left something undone in order. */
export interface Left {
  readonly reason: "out_of_money" | "under_way";
  /** Such as `4.98 of 5 USD spent`, or `300 requests in 1 batch are under way at OpenAI`. */
  readonly text: string;
}

/** Request to open a helper besides the model. */
export interface Opening {
  /** A sentence for the user. */
  readonly onMessage: (message: string) => void;
  /** Share of a model's file that is downloaded, 0–1. */
  readonly onDownload?: (fraction: number) => void;
  /** Aborting it ends the opening at once. */
  readonly signal: AbortSignal;
}

/** A helper that was opened besides the model. */
export interface Opened<Run extends RunRecord = RunRecord> {
  /** Its fields in `run.json`, over the suite's own. */
  readonly own: Partial<Omit<Run, keyof RunRecord>>;
  /** Gives back what it holds, at the end of the session. */
  close(): Promise<void>;
}

/** A journal, and how many records it will have. */
export interface PlannedJournal<T = unknown> {
  readonly codec: FolderCodec<T>;
  readonly plan: PlacePlan;
  /** Records in all. */
  readonly records: number;
  /** Plural of a record: `answers`. */
  readonly name: string;
}

/**
 * A file or folder of a run besides its record and its planned journals.
 * - `same`: a file that is the same in every share of a run
 * - `lines`: a journal whose records have no places
 * - `folder`: a folder in which no two shares have the same file
 */
export type RunPart =
  | { readonly kind: "same" | "folder"; readonly name: string }
  | {
      readonly kind: "lines";
      /** Codec of its lines, loaded where it is needed. */
      readonly codec: () => Promise<FolderCodec<unknown>>;
    };

/** Means of a plan to do its work. */
export interface Performance {
  /** The run's folder. */
  readonly folder: string;
  /** SHA-256 of what makes the run what it is: for files that belong to it. */
  readonly fingerprint: string;
  readonly model: Model;
  readonly guard: FailureGuard;
  /** Stops asking; what is under way is finished and recorded. */
  readonly signal: AbortSignal;
  /** To be told of every record once it is in its journal. */
  readonly onRecord: (record: { readonly isFailed: boolean }) => void;
  /** A sentence for the user. */
  readonly onMessage: (message: string) => void;
  /** Leaves the rest undone, in order: the run is not complete, and can be resumed. */
  readonly leave: (left: Left) => void;
  /** Opens a journal of the plan for as long as the work takes, by the name of its records. */
  withJournal<T>(codec: FolderCodec<T>, work: (journal: OpenJournal<T>) => Promise<void>): Promise<void>;
}

/** A journal as a session found it, and as it goes on. */
export interface OpenJournal<T> {
  /** `true`: this place has a record that is not a failure. */
  isDone(item: number, place: number): boolean;
  /** Records of an item from before this session. */
  recordsOf(item: number): Promise<readonly T[]>;
  /** Resolves when the record is in the file, where a kill of this process cannot lose it. */
  append(record: T): Promise<void>;
}

/** A run on disk. */
export interface StoredRun<Run extends RunRecord = RunRecord> {
  readonly folder: string;
  readonly run: Run;
  /** Streams the records of a journal item by item, in the order of the run; none where there is no file. */
  records<T>(codec: FolderCodec<T>): AsyncGenerator<readonly T[]>;
}

/** Writes a table into the run's folder. */
export type WriteTable = <Row>(table: Table<Row>, rows: TableRows<Row>) => Promise<void>;

/** A scored run. */
export interface SuiteScore<Run extends RunRecord = RunRecord> {
  /** Tables that were written, in the order of the data package. */
  readonly tables: readonly TableDescription[];
  /** The record, as `run.json` is to hold it now. */
  readonly run: Run;
  readonly verdicts: RunVerdicts;
  /** Records that failed: exit code 4. */
  readonly failed: number;
  /** Open work in words, such as `3 of 36 questions with orders that have no answer yet`; `null`: none. */
  readonly unfinished: string | null;
  /** Size of the run in a few words each, such as `108 examples`. */
  readonly facts: readonly string[];
  /** Results for people, at the end of the run and on a page. */
  readonly blocks: readonly Block[];
  /** Members of `--json` besides folder, run and verdicts. */
  readonly document: object;
}
