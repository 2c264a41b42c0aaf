import { badInput } from "../base/errors.js";
import type { Language } from "../base/language.js";
import { nearHint } from "../base/near-names.js";
import type { Command, Example, Lazy } from "../console/command.js";
import type { OptionTable } from "../console/option.js";
import type { Ask } from "../trust/claim.js";
import type { AnySuite } from "./suite.js";

/** Folders in which `probe trust` looks. */
export interface TrustPlace {
  readonly workingDirectory: string;
  /** A run's folder, or one with data; `null`: none was named. */
  readonly folder: string | null;
}

/** Commands that suites may have under `probe suite`, by name: one word, or two where the first is a group's. */
export const SUITE_COMMANDS = {
  setup: "install what a suite's tests run with",
  check: "find out which tasks of a suite can be judged at all",
  stats: "recompute tables from published or own rows",
  inject: "put faults of a suite's kind into a clean repository of one's own",
  "rules check": "find out which static rules of a suite tell its old code from the right solution",
  classify: "sort what failed into classes, by a model",
  probes: "cut patches of a suite's tasks into reviews, to ask questions about",
} as const;

/** One of these as a suite does it: `probe suite NAME SUITE`. */
export interface SuiteCommand extends Command {
  readonly name: keyof typeof SUITE_COMMANDS;
}

/** Kinds of code that a suite of agents has: what agents see, the tests that judge, right solutions. */
export const SUITE_PARTS = ["source", "test", "gold"] as const;

/** Request for a part of a suite's code. */
export interface PartRequest {
  readonly part: (typeof SUITE_PARTS)[number];
  /** A folder; `null`: the tasks that come with the program. */
  readonly data: string | null;
  /** Clones that the tasks are about; `null`: none are named. */
  readonly repo: string | null;
  readonly workingDirectory: string;
}

/** A file of code. */
export interface SuiteText {
  /** `task:path`. */
  readonly id: string;
  readonly language: Language;
  readonly text: string;
}

/** A string that data carry so that a model which continues it has seen the data, and where it stands. */
export interface Canary {
  readonly text: string;
  /** Files of the data, and how often it stands in each. */
  readonly files: readonly { readonly path: string; readonly count: number }[];
}

/** The code of one kind of all tasks of a suite. */
export interface SuitePart {
  readonly texts: readonly SuiteText[];
  /** Tasks without any of it, and why. */
  readonly leftOut: readonly { readonly taskId: string; readonly why: string }[];
  /** Canary strings in all files of the data, whatever the part. */
  readonly canaries: readonly Canary[];
  /** The files that these were looked for in. */
  readonly searched: number;
  /** SHA-256 of the data. */
  readonly sha256: string;
}

/** Registration of a suite: its face on the command line, and how it is loaded when it is needed. */
export interface SuiteEntry {
  /** Such as `refactorbench`; kept in `run.json`. */
  readonly name: string;
  readonly title: string;
  /** The command its runs have besides `probe suite run NAME`, such as `run`; `null`: none. */
  readonly command: Pick<Command, "name" | "also" | "describe" | "synopsis" | "about"> | null;
  /** The options of its runs, besides those that every run has. */
  readonly options: Lazy<OptionTable>;
  /** For the help of its runs. */
  readonly examples: readonly Example[];
  /** Names of the tables of its own that `report --table` makes; without it, none. */
  readonly tables?: readonly string[];
  /** Further commands of its own, which may look at the entries of all suites. */
  readonly commands: readonly ((suites: readonly SuiteEntry[]) => Command)[];
  /** Further commands under `probe suite`; absent: none. */
  readonly suiteCommands?: Lazy<readonly SuiteCommand[]>;
  /**
   * Claims of files that are the suite's own and need trust: modules, commands or servers that `probe.config.json` in
   * the working directory, a run's folder or a folder of data names. `probe trust` shows and trusts it; the suite calls
   * `requireTrust` with the same before it does any of it.
   */
  asks?(place: TrustPlace): Promise<readonly Ask[]>;
  /**
   * The code of its tasks, for `audit --suite`; absent: it has none.
   * @throws ProbeError `bad_input`
   */
  part?(request: PartRequest): Promise<SuitePart>;
  /** The suite itself: called when one of its runs is asked for. */
  load(): Promise<AnySuite>;
}

/** The suites that a program has. */
export type Suites = readonly SuiteEntry[];

/** The command that makes runs of a suite, and resumes them by `--resume`. */
export function runCommandOf({ command, name }: SuiteEntry): string {
  return command === null ? `probe suite run ${name}` : `probe ${command.name}`;
}

/** Tables that every suite has, by its verdicts alone. */
export const SHARED_TABLES = ["scores", "languages"] as const;

/** Names that `report --table` takes. */
export function tableNames(entries: readonly SuiteEntry[]): string[] {
  return [...new Set([...SHARED_TABLES, ...entries.flatMap(({ tables = [] }) => tables)])];
}

/**
 * The suite of this name.
 * @throws ProbeError `bad_input` that names those there are, and what is near
 */
export function findSuite(entries: readonly SuiteEntry[], name: string): SuiteEntry {
  const found = entries.find((entry) => entry.name === name);
  if (found !== undefined) return found;
  const names = entries.map((entry) => entry.name);
  throw badInput(`Expected a suite (${names.join(", ")}), found "${name}".${nearHint(name, names)}`);
}

/**
 * The suites by name.
 * @throws Error when two have the same name
 */
export function requireDistinctSuites(entries: readonly SuiteEntry[]): void {
  const names = entries.map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw new Error(`Expected one suite of the name ${twice}, found two.`);
}
