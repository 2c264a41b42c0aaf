import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { badInput, whereMissing } from "../../base/errors.js";
import { cacheFolder } from "../../base/folders.js";
import { sha256 } from "../../base/sha256.js";
import { type Bytes, jsonValue, shorten } from "../../base/text.js";
import { keepInCache } from "../../store/folder/work-folder.js";
import { openRoom } from "../../trial/bench-room.js";
import type { Bench } from "../../trial/bench-task.js";
import { type LineUp, type LineUpSetting, lineUp, stands } from "../../trial/lineup/line-up.js";
import { HAND_IN } from "../../trial/make/work-tools.js";
import { openCage } from "../../workspace/cage.js";
import { receivedEnvironment } from "../../workspace/received-repository.js";
import { copyTree, sealedText, writeSealed } from "../../workspace/sealed-files.js";
import { textsIn } from "../../workspace/tree-files.js";
import { clearWay, Workspace } from "../../workspace/workspace.js";
import { type HarborTask, ownValues } from "./harbor-task.js";

/** Outcome of a task's tests on a tree. */
export interface Verdict {
  /** Their reward, 0 of a run that did not end by itself; `null`: they gave none that can be read. */
  readonly reward: number | null;
  /** All numbers of their reward file. */
  readonly rewards: Readonly<Record<string, number>>;
  /** End of their run, in words; `null`: they could not be started. */
  readonly end: string | null;
  readonly output: string;
}

/** Most bytes of a reward file. */
const MOST_BYTES = 64 * 1024;

/**
 * Runs `tests/test.sh` on a tree in a cage of its own, with the tests and the logs as they were given: nothing of the agent
 * is there but the tree. The reward is read when nothing of the run is left; that of a run that was stopped counts for
 * nothing: code under test can write it, and then hold up what would write another.
 * @param tests folder with the tests, other than the task's where they were changed
 */
export async function runVerifier(
  task: HarborTask,
  tree: string,
  bench: Bench,
  tests: string = join(task.folder, "tests"),
  writes: readonly string[] = [],
): Promise<Verdict> {
  const folder = await bench.folder();
  const [own, logs] = [join(folder, "tests"), join(folder, "logs")];
  await copyTree(tests, own);
  await mkdir(join(logs, "verifier"), { recursive: true });
  const { timeout_sec: seconds, env } = task.settings.verifier;
  const script = { path: "/tests/test.sh", seconds, env, writes };
  const at = { "/tests": own, "/logs/verifier": join(logs, "verifier") };
  const { isStopped, ...run } = await runScript(task, tree, bench, script, at);
  if (run.end === null) return { reward: null, rewards: {}, ...run };
  if (isStopped) return { reward: 0, rewards: {}, ...run };
  const found = readReward(
    await sealedText(join(logs, "verifier"), "reward.txt", MOST_BYTES),
    await sealedText(join(logs, "verifier"), "reward.json", MOST_BYTES),
  );
  return { ...found, ...run };
}

interface Script {
  /** In the cage. */
  readonly path: string;
  readonly seconds: number;
  readonly env: Readonly<Record<string, string>>;
  readonly writes: readonly string[];
}

/** Runs a script of the task in its working directory; without a network. */
async function runScript(
  { place, env, image }: HarborTask,
  tree: string,
  bench: Bench,
  script: Script,
  at: Readonly<Record<string, string>>,
): Promise<Pick<Verdict, "end" | "output"> & { readonly isStopped: boolean }> {
  const { cage, signal } = bench;
  if (cage.kind === "none")
    return {
      end: null,
      isStopped: false,
      output: "Expected a sandbox, found none: a task's scripts name paths such as /tests and /logs.",
    };
  const home = await bench.folder();
  const logs = join(tree, HAND_IN);
  // Whoever left a file or a link there is graded all the same.
  await clearWay(tree, `${HAND_IN}/any`);
  await mkdir(logs, { recursive: true });
  const variables = {
    ...receivedEnvironment({ ...env, ...ownValues(script.env) }, cage),
    // Of an image its own programs come first; the cage sees to that.
    PATH: image === undefined ? (process.env["PATH"] ?? "/usr/bin:/bin") : "/usr/local/bin:/usr/bin:/bin",
    LANG: "C.UTF-8",
    HOME: home,
  };
  const argv = ["/bin/sh", "-c", 'cd "$1" && exec bash "$2"', "sh", place, script.path] as const;
  const permissions = {
    workspace: tree,
    writesWorkspace: true,
    writes: [home, ...script.writes],
    reads: [],
    network: false,
    at: { [place]: tree, "/logs/agent": logs, ...at },
  };
  const command = { argv, cwd: tree, env: variables, limitMs: script.seconds * 1000 };
  const { end, code, output } = await cage.run(command, permissions, signal);
  signal.throwIfAborted();
  if (end === "not_started") return { end: null, isStopped: false, output };
  const isStopped = end !== "exited" || isKilled(code);
  return { end: end === "exited" ? `exit code ${code}` : end.replace("_", " "), isStopped, output };
}

/** Ended by one of the signals 1 to 64, as shells tell it: code under test can kill what runs it. */
function isKilled(code: number | null): boolean {
  return code === null || (code > 128 && code <= 192);
}

const rewardsSchema = z.record(z.string(), z.number());

/**
 * Reward by the files that tests leave: `reward.txt`, one number; without it `reward.json`, numbers by name, of which
 * `reward` or the only one counts.
 */
export function readReward(text: string | null, json: string | null): Pick<Verdict, "reward" | "rewards"> {
  if (text !== null && text.trim() !== "") {
    const reward = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text.trim()) ? Number(text) : Number.NaN;
    return Number.isFinite(reward) ? { reward, rewards: { reward } } : NONE;
  }
  const rewards = rewardsSchema.safeParse(jsonValue(json ?? "")).data;
  if (rewards === undefined) return NONE;
  const values = Object.values(rewards);
  return { reward: rewards["reward"] ?? (values.length === 1 ? values[0] : undefined) ?? null, rewards };
}

const NONE = { reward: null, rewards: {} };

/**
 * Passing tests once more as a line-up: code under test runs beside what writes the reward, and could write it itself.
 * @param submitted a copy of the tree that nothing ran on
 * @param gold a right solution; `null`: there is nothing to hold it against
 * @returns `null`: nothing of the tests can be asked among turned copies, and nothing failed, or there is no right solution
 */
export async function lineUpOf(
  task: HarborTask,
  submitted: string,
  gold: Bytes | null,
  bench: Bench,
): Promise<LineUp | null> {
  const folder = join(task.folder, "tests");
  const tests = await textsIn(folder, (path) => /\.(?:[cm]?js|jsx|py)$/.test(path));
  if (gold === null || tests.length === 0) return null;
  const setting: LineUpSetting = {
    tests,
    reference: JSON.stringify(["harbor", task.id, task.sha256, bench.cage.setting]),
    async run(code, files, writes) {
      const source = code === "submitted" ? ({ kind: "folder", path: submitted } as const) : task.source;
      const tree = await Workspace.create(join(await bench.folder(), "work"), source);
      if (code === "reference") await tree.apply(gold);
      const own = join(await bench.folder(), "tests");
      await copyTree(folder, own);
      for (const { path, text } of files) await writeSealed({ root: own, path }, text);
      await runVerifier(task, tree.tree, bench, own, [writes]);
    },
  };
  const found = await lineUp(setting, bench);
  return found.asked === 0 && stands(found) ? null : found;
}

/** Runs `solution/solve.sh` on a tree. @returns why that failed; `null`: it did not */
export async function solve(task: HarborTask, tree: string, bench: Bench): Promise<string | null> {
  const solution = join(await bench.folder(), "solution");
  await copyTree(join(task.folder, "solution"), solution);
  const { env } = task.settings.solution;
  const script = { path: "/solution/solve.sh", seconds: task.settings.agent.timeout_sec, env, writes: [] };
  const { end, output } = await runScript(task, tree, bench, script, { "/solution": solution });
  if (end === "exit code 0") return null;
  return `solve.sh: ${end ?? "could not be started"}: ${shorten(output.trim(), 300)}`;
}

/**
 * Right solution of a task as a patch: what `solve.sh` makes of the tree, once a machine.
 * @returns `null`: there is no `solve.sh`
 * @throws ProbeError `bad_input` when it cannot be run, or fails
 */
export async function goldOf(task: HarborTask): Promise<Bytes | null> {
  if (!task.hasSolution || task.obstacle !== null || task.fault !== null) return null;
  const name = `${sha256(JSON.stringify([task.sha256, task.image ?? null]))}.patch`;
  const path = join(cacheFolder(process.env), "harbor-gold", name);
  const known = await readFile(path).catch(whereMissing(null));
  if (known !== null) return known;
  const made = await solved(task);
  await keepInCache(path, made);
  return made;
}

async function solved(task: HarborTask): Promise<Bytes> {
  const cage = await openCage({ sandbox: "auto", hidden: [], image: task.image ?? null });
  const room = await openRoom(`harbor oracle ${process.pid} ${task.folder}`);
  const bench = room.open(cage, new AbortController().signal);
  try {
    const workspace = await Workspace.create(join(await bench.folder(), "work"), task.source);
    const fault = await solve(task, workspace.tree, bench);
    const patch = fault === null ? await workspace.patch() : null;
    if (patch?.status === "made") return patch.bytes;
    throw badInput(`Expected a right solution of ${task.id}, found ${fault ?? patch?.detail ?? "none"}.`);
  } finally {
    await bench.close();
    await room.close();
  }
}
