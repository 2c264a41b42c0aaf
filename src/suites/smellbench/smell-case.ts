import { z } from "zod";
import { loadPromptsIn } from "../../base/prompt-template.js";
import type { Bytes } from "../../base/text.js";
import type { BenchTask } from "../../trial/bench-task.js";
import type { TreeSource } from "../../workspace/workspace.js";

/** The seven kinds of smells, and how a person calls each. */
export const SMELLS = {
  feature_envy: "feature envy",
  god_classes: "god class",
  data_clumps: "data clump",
  shotgun_surgery: "shotgun surgery",
  dead_code_elimination: "dead code",
  interface_segregation: "interface too wide",
  deeply_inlined_method: "deeply inlined method",
} as const;

/** A kind of smell, as cases name it. */
export type Smell = keyof typeof SMELLS;

export const SMELL_NAMES = Object.keys(SMELLS) as readonly Smell[] as readonly [Smell, ...Smell[]];

/** Smells that can be put into a clean repository. */
export const INJECTED = [
  "dead_code_elimination",
  "shotgun_surgery",
  "data_clumps",
  "interface_segregation",
  "deeply_inlined_method",
] as const satisfies readonly Smell[];

/** Difficulties by the least number of files that a smell is spread over: 1, 2, 3; of shotgun surgery 2, 3, 4. */
export const DIFFICULTIES = ["easy", "medium", "hard"] as const;

/** Sorts from easy to hard. */
export function byDifficulty(one: string, other: string): number {
  const order: readonly string[] = DIFFICULTIES;
  return order.indexOf(one) - order.indexOf(other);
}

/** Settings by what an agent is told: the smell and its file, or class and method too. */
export const SETTINGS = ["guided", "targeted"] as const;

const text = z.string().min(1);
const name = z.string().min(1).nullable().default(null);
/** A path within the tree: what is read or put back there stays there. */
const inTree = text.refine((path) => !path.startsWith("/") && !path.split(/[/\\]/).includes(".."), {
  error: "expected a path within the repository",
});
const words = z.union([z.string().transform((line) => line.split(/\s+/).filter((word) => word !== "")), z.array(text)]);

/** A case, as the published files and our own have it; what else stands there is not read. */
export const caseSchema = z.looseObject({
  instance_id: text,
  // The paper's figures shorten one name.
  type: z.preprocess((smell) => (smell === "dead_code" ? "dead_code_elimination" : smell), z.enum(SMELL_NAMES)),
  difficulty: z.enum(DIFFICULTIES),
  project_name: text,
  commit_hash: z.string().default(""),
  hint_guided: text,
  hint_targeted: text,
  /** File, class, method. */
  smell_function: z.union([z.tuple([inTree, name, name]), z.tuple([inTree, name]), z.tuple([inTree])]),
  testsuites: words.refine((tests) => tests.length > 0, { error: "expected at least one test" }),
  smell_content: z.string().default(""),
  gt_content: z.string().default(""),
  smell_analysis: z.string().nullable().default(null),
  settings: z
    .looseObject({
      test_cmd: words.nullable().default([]),
      envs: z
        .record(z.string(), z.union([z.string(), z.number()]).transform(String))
        .nullable()
        .default({}),
      /** Command in place of pytest, with the tests behind it; of our own cases. */
      command: z.array(text).min(1).optional(),
    })
    .prefault({}),
});

/** A case, as it is read. */
export type SmellCase = z.infer<typeof caseSchema>;

/** Place of a smell. */
export interface SmellPlace {
  readonly file: string;
  readonly className: string | null;
  readonly methodName: string | null;
}

/** A wrong solution that comes with a case of our own. */
export interface WrongPatch {
  /** Such as `lazy`. */
  readonly name: string;
  readonly patch: Bytes;
  /** Expected grade. */
  readonly tpr: boolean;
  readonly la: boolean;
}

/** A case as a task. */
export interface SmellTask extends BenchTask {
  /** `null`: it cannot be read. */
  readonly smellCase: SmellCase | null;
  readonly place: SmellPlace | null;
  /** The tree before the smell was put into it. */
  readonly clean: TreeSource;
  /** Puts the smell in. */
  readonly smellPatch: Bytes;
  /** `null`: the case has no solution. */
  readonly goldPatch: Bytes | null;
  readonly wrong: readonly WrongPatch[];
  /** Fault of the case itself; `null`: none that its fields tell. */
  readonly fault: string | null;
  /** Reason why it cannot be tried here; `null`: it can. */
  readonly obstacle: string | null;
}

/** Our wording, for agents and for judges. */
export type Prompts = Awaited<ReturnType<typeof loadPrompts>>;

export function loadPrompts() {
  const names = ["agent", "task", "judge_system", "judge_user", "analysis_system", "analysis_user"] as const;
  return loadPromptsIn("suites/smellbench", names);
}
