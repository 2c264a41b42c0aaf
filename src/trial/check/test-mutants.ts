import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createTwoFilesPatch } from "diff";
import { z } from "zod";
import { hash32, seededIntegers, shuffled } from "../../base/random.js";
import { sha256 } from "../../base/sha256.js";
import { languageOfFile } from "../../base/source-path.js";
import { jsonValue } from "../../base/text.js";
import { keepInCache } from "../../store/folder/work-folder.js";
import { fingerprintOf } from "../../store/identity.js";
import { loadSyntax, type Syntax } from "../../syntax/load.js";
import { MUTATION_OPERATORS, type Mutation, type MutationOperator, mutated, mutationsOf } from "../../syntax/mutate.js";
import { Workspace } from "../../workspace/workspace.js";
import type { BenchAdapter } from "../adapter.js";
import type { BenchRoom } from "../bench-room.js";
import type { Baseline, Bench, BenchTask, CodeText, HiddenOutcome, Runtime } from "../bench-task.js";
import { type TaskCheck, type TaskStrength, taskStrengthSchema } from "../trial-records.js";
import { checksFolder } from "./check-task.js";

const testedMutantSchema = z.object({
  file: z.string(),
  line: z.int().positive(),
  operator: z.enum(MUTATION_OPERATORS),
  diff: z.string(),
  /** `timed_out`: killed too, as the tests did not end. `not_run`: nothing is known. */
  outcome: z.enum(["killed", "timed_out", "survived", "not_run"]),
});

/** A mutant, and what the hidden tests made of it. */
export type TestedMutant = z.infer<typeof testedMutantSchema>;

const mutationCheckSchema = taskStrengthSchema.extend({
  /** Mutants in the order drawn. */
  tested: z.array(testedMutantSchema),
  /** Reason why there is no mutant; `null`: there is one. */
  reason: z.string().nullable(),
});

/** Strength of the hidden tests of a task, mutant by mutant. */
export type MutationCheck = z.infer<typeof mutationCheckSchema>;

const storedSchema = mutationCheckSchema.extend({ version: z.literal(1), drawn_sha256: z.string() });

/** Members of a suite that mutants need. */
type TestedSuite<Task extends BenchTask> = Pick<BenchAdapter<Task>, "name" | "tested" | "baselines" | "runHidden">;

/** Setting in which mutants are tested. */
interface MutantSetting<Task extends BenchTask> {
  readonly adapter: TestedSuite<Task>;
  readonly runtime: Runtime;
  readonly room: BenchRoom;
  readonly cage: Bench["cage"];
  /** Mutants a task. */
  readonly count: number;
  readonly seed: number;
  readonly say: (done: number, all: number) => void;
  /** Told why later runs will not know of the strength. */
  readonly onUnkept?: (why: string) => void;
  /** Least time limit of a mutant's tests, ms. */
  readonly leastLimitMs?: number;
}

/** A mutant's tests may take so many times what those of the unmodified code took, and this at least unless told otherwise. */
const LIMIT_FACTOR = 10;
const LEAST_LIMIT_MS = 30_000;

/**
 * Runs the hidden tests of a task on mutants of its own code, each on a fresh tree in the same cage as ever. From the
 * cache where the same mutants were tested with the same runtime.
 * @param check of the task: tests that fail on its own code can notice nothing
 */
export async function testMutants<Task extends BenchTask>(
  task: Task,
  check: TaskCheck,
  setting: MutantSetting<Task>,
): Promise<MutationCheck> {
  const { adapter, room, cage, count, seed, say } = setting;
  const common = { asked: count, seed };
  const none = (reason: string): MutationCheck => ({ ...common, mutants: 0, killed: 0, tested: [], reason });
  const paths = (await adapter.tested?.(task)) ?? [];
  if (paths.length === 0) return none("no hidden tests judge its code");
  if (check.valid !== true) return none("the task is not valid");
  const bench = room.open(cage, new AbortController().signal);
  try {
    const files = await filesOf(task, paths, bench);
    const { mutants, reason } = await drawMutants(files, { count, seed, owner: task.id });
    if (reason !== null) return none(reason);
    const drawn = sha256(JSON.stringify(mutants));
    const path = strengthPath(adapter.name, task, setting.runtime, cage);
    const known = await readStored(path);
    if (known?.drawn_sha256 === drawn && known.seed === seed && known.asked === count) return checkOf(known);
    const own = await ownBaseline(adapter, task);
    const original = await timed(adapter, task, bench, own);
    if (original.outcome !== own.expected)
      return none(`the hidden tests do not pass on its own code: ${original.outcome ?? "not run"}`);
    const limitMs = Math.max(setting.leastLimitMs ?? LEAST_LIMIT_MS, Math.ceil(original.durationMs * LIMIT_FACTOR));
    const tested: TestedMutant[] = [];
    for (const mutant of mutants) {
      tested.push(await testMutant(mutant, task, setting, { ...own, limitMs }));
      say(tested.length, mutants.length);
    }
    const found = { ...common, ...countsOf(tested), tested, reason };
    const stored = { version: 1, drawn_sha256: drawn, ...found } as const;
    const isWhole = tested.every(({ outcome }) => outcome !== "not_run");
    const why = isWhole ? await keepInCache(path, `${JSON.stringify(stored)}\n`) : null;
    if (why !== null) setting.onUnkept?.(why);
    return found;
  } finally {
    await bench.close();
  }
}

/** Strength that the last check with mutants found; `null`: there was none, or no mutant could be made. */
export async function knownStrength<Task extends BenchTask>(
  { name }: TestedSuite<Task>,
  task: Task,
  runtime: Runtime,
  cage: Bench["cage"],
): Promise<TaskStrength | null> {
  const stored = await readStored(strengthPath(name, task, runtime, cage));
  if (stored === null) return null;
  const { asked, seed, mutants, killed } = stored;
  return { asked, seed, mutants, killed };
}

function strengthPath(suite: string, task: BenchTask, runtime: Runtime, cage: Bench["cage"]): string {
  return join(
    checksFolder(),
    `mutants-${fingerprintOf([suite, task.id, task.sha256, runtime.sha256, cage.setting])}.json`,
  );
}

async function readStored(path: string): Promise<z.infer<typeof storedSchema> | null> {
  return storedSchema.safeParse(jsonValue(await readFile(path, "utf8").catch(() => ""))).data ?? null;
}

function checkOf({ version: _, drawn_sha256: __, ...check }: z.infer<typeof storedSchema>): MutationCheck {
  return check;
}

async function filesOf(task: BenchTask, paths: readonly string[], bench: Bench): Promise<CodeText[]> {
  const { tree } = await Workspace.create(join(await bench.folder(), "work"), task.source);
  return Promise.all(paths.map(async (path) => ({ path, text: await readFile(join(tree, path), "utf8") })));
}

/** Name of the check of hidden tests on the unmodified code, and its outcome where they pass. */
type OwnBaseline = Pick<Baseline, "check" | "expected">;

async function ownBaseline<Task extends BenchTask>(adapter: TestedSuite<Task>, task: Task): Promise<OwnBaseline> {
  const baselines = await adapter.baselines(task);
  return (
    baselines.find(({ patch, source }) => patch === null && source === undefined) ?? {
      check: "original",
      expected: "pass",
    }
  );
}

/** The hidden tests on the unmodified code, and how long they took, ms. */
async function timed<Task extends BenchTask>(
  adapter: TestedSuite<Task>,
  task: Task,
  bench: Bench,
  { check }: OwnBaseline,
): Promise<HiddenOutcome & { readonly durationMs: number }> {
  const tree = await Workspace.create(join(await bench.folder(), "work"), task.source);
  const started = performance.now();
  const found = await adapter.runHidden(task, tree, bench, check);
  return { ...found, durationMs: performance.now() - started };
}

async function testMutant<Task extends BenchTask>(
  { file, operator, line, diff }: Mutant,
  task: Task,
  { adapter, room, cage }: MutantSetting<Task>,
  { check, expected, limitMs }: OwnBaseline & { readonly limitMs: number },
): Promise<TestedMutant> {
  const limit = AbortSignal.timeout(limitMs);
  const bench = room.open(cage, limit);
  const told = { file: file.path, operator, line, diff };
  try {
    const tree = await Workspace.create(join(await bench.folder(), "work"), task.source);
    await writeFile(join(tree.tree, file.path), file.text);
    const { outcome } = await adapter.runHidden(task, tree, bench, check);
    if (outcome === null) return { ...told, outcome: limit.aborted ? "timed_out" : "not_run" };
    if (outcome !== expected && (await bench.spaceFault()) !== null) return { ...told, outcome: "not_run" };
    return { ...told, outcome: outcome === expected ? "survived" : "killed" };
  } catch (error) {
    // It never ends, such as a loop without its step.
    if (limit.aborted) return { ...told, outcome: "timed_out" };
    throw error;
  } finally {
    await bench.close();
  }
}

function countsOf(tested: readonly TestedMutant[]): Pick<TaskStrength, "mutants" | "killed"> {
  const run = tested.filter(({ outcome }) => outcome !== "not_run");
  return { mutants: run.length, killed: run.filter(({ outcome }) => outcome !== "survived").length };
}

/** A file with one small fault in it. */
interface Mutant {
  readonly file: CodeText;
  readonly operator: MutationOperator;
  /** Line of the fault, from 1. */
  readonly line: number;
  /** From the file as it was, with a line of context. */
  readonly diff: string;
}

/** Mutants that were drawn. */
interface MutantDraw {
  readonly mutants: readonly Mutant[];
  /** Reason why there are none; `null`: there are. */
  readonly reason: string | null;
}

/** A file, how it is read, and a fault that can be put into it. */
interface Place {
  readonly file: CodeText;
  readonly syntax: Syntax;
  readonly mutation: Mutation;
}

/**
 * Draws so many different mutants of some files at random, all faults alike; all where there are fewer. The same for the
 * same seed on every machine.
 * @param owner what they are mutants of: two tasks draw by themselves
 */
async function drawMutants(
  files: readonly CodeText[],
  { count, seed, owner }: { readonly count: number; readonly seed: number; readonly owner: string },
): Promise<MutantDraw> {
  const places: Place[] = [];
  const unknown: string[] = [];
  for (const file of files) {
    const language = languageOfFile(file.path);
    if (language === null) {
      unknown.push(file.path);
      continue;
    }
    const syntax = await loadSyntax(language);
    for (const mutation of mutationsOf(syntax, file.text)) places.push({ file, syntax, mutation });
  }
  const mutants: Mutant[] = [];
  const seen = new Set<string>();
  for (const place of shuffled(places, seededIntegers(hash32(owner, seed)))) {
    if (mutants.length === count) break;
    const mutant = mutantAt(place);
    const key = JSON.stringify(mutant?.file);
    if (mutant === null || seen.has(key)) continue;
    seen.add(key);
    mutants.push(mutant);
  }
  if (mutants.length > 0) return { mutants, reason: null };
  if (unknown.length > 0) return { mutants, reason: `no grammar reads ${unknown.join(", ")}` };
  return { mutants, reason: "there is nothing in its code to put a fault into" };
}

function mutantAt({ file: { path, text }, syntax, mutation }: Place): Mutant | null {
  const changed = mutated(syntax, text, mutation);
  if (changed === null) return null;
  const patch = createTwoFilesPatch(`a/${path}`, `b/${path}`, text, changed, undefined, undefined, { context: 1 });
  return {
    file: { path, text: changed },
    operator: mutation.operator,
    line: text.slice(0, mutation.start).split("\n").length,
    diff: patch.replace(/^=+\n/, ""),
  };
}
