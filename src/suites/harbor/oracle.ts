import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { isSystemError, ProbeError } from "../../base/errors.js";
import { cacheFolder } from "../../base/folders.js";
import { sha256 } from "../../base/sha256.js";
import { type Bytes, shorten } from "../../base/text.js";
import { writeAtomically } from "../../store/atomic-write.js";
import { openRoom } from "../../trial/bench-room.js";
import type { Bench } from "../../trial/bench-task.js";
import { openCage } from "../../workspace/cage.js";
import { copyTree } from "../../workspace/sealed-files.js";
import { Workspace } from "../../workspace/workspace.js";
import type { HarborTask } from "./harbor-task.js";
import { runScript } from "./run-verifier.js";

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
  const folder = join(cacheFolder(process.env), "harbor-gold");
  const path = join(folder, `${sha256(JSON.stringify([task.sha256, task.image ?? null]))}.patch`);
  const known = await readFile(path).catch((error: unknown) => {
    if (isSystemError(error, "ENOENT")) return null;
    throw error;
  });
  if (known !== null) return known;
  const made = await solved(task);
  await mkdir(folder, { recursive: true });
  await writeAtomically(path, (append) => append(made));
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
    throw new ProbeError(
      "bad_input",
      `Expected a right solution of ${task.id}, found ${fault ?? patch?.detail ?? "none"}.`,
    );
  } finally {
    await bench.close();
    await room.close();
  }
}
