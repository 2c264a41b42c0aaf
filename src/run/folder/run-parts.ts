import { realpath } from "node:fs/promises";
import { ProbeError } from "../../base/errors.js";
import { shardText } from "../../base/shard.js";
import { shellWord } from "../../base/text.js";
import { isHeld } from "../../store/folder/own-files.js";
import { differences } from "../../store/identity.js";
import type { RecordedShard, RunRecord } from "../run-record.js";
import { readScore, suiteOfRun } from "../score-folder.js";
import type { AnySuite } from "../suite.js";
import { runCommandOf, type SuiteEntry } from "../suite-entry.js";
import { wholeIdentityOf } from "./run-folder.js";

/** A share of a split run, in its folder. */
export interface Part {
  readonly folder: string;
  readonly run: RunRecord & { readonly shard: RecordedShard };
}

/** The shares of one run, each once, in their order. */
export interface Parts {
  readonly suite: AnySuite;
  readonly parts: readonly [Part, ...Part[]];
}

/**
 * Reads the shares of a run, and makes sure that they are all of it: of one run, made by one program, none missing, none
 * there twice, all finished.
 * @throws ProbeError `bad_input` naming what is wrong
 */
export async function readParts(suites: readonly SuiteEntry[], folders: readonly string[]): Promise<Parts> {
  const found: (Part & { readonly entry: SuiteEntry; readonly suite: AnySuite; readonly path: string })[] = [];
  for (const folder of folders) {
    const { entry, suite, run } = await suiteOfRun(suites, folder);
    const { shard } = run;
    if (shard === undefined) throw noShare(folder, run);
    const next = { folder, path: await realpath(folder), entry, suite, run: { ...run, shard } };
    const twice = found.find(({ path }) => path === next.path);
    if (twice !== undefined) throw refuse(`${twice.folder} and ${folder}, which are one folder`, "Name each once.");
    found.push(next);
  }
  const [first, ...others] = found;
  if (first === undefined) throw refuse("none", "Name the folders of all shares of a run.");
  for (const other of others) requireSameRun(first, other);
  requireAll([first, ...others]);
  for (const part of found) await requireFinished(part);
  const [head, ...tail] = found.toSorted((a, b) => a.run.shard.index - b.run.shard.index);
  return { suite: first.suite, parts: [head ?? first, ...tail] };
}

function refuse(found: string, advice: string): ProbeError {
  const end = found.includes("\n") ? "\n" : ". ";
  return new ProbeError("bad_input", `Expected all shares of one run, found ${found}${end}${advice}`);
}

function noShare(folder: string, { merged }: RunRecord): ProbeError {
  const found = merged === undefined ? "a whole run" : "a run that was merged already";
  return new ProbeError(
    "bad_input",
    `Expected a share of a run (--shard) in ${folder}, found ${found}. Leave it out; only shares can be merged.`,
  );
}

function requireSameRun(first: Part & { suite: AnySuite }, other: Part & { suite: AnySuite }): void {
  const [then, now] = [first, other].map(({ run, suite }) => ({
    suite: run.suite,
    program: `${run.program.name} ${run.program.version}`,
    "program commit": run.program.commit,
    ...wholeIdentityOf(suite, run),
    shards: run.shard.count,
    price: run.price === null ? null : JSON.stringify(run.price),
  }));
  const found = differences(then ?? {}, now ?? {}, first.folder, other.folder);
  if (found.length === 0) return;
  throw refuse(
    `that ${first.folder} and ${other.folder} are of different runs:\n${found.map((line) => `  ${line}`).join("\n")}`,
    "Leave out what does not belong to the run, or ask that share again like the others.",
  );
}

function requireAll(parts: readonly [Part, ...Part[]]): void {
  const byIndex = new Map<number, Part>();
  for (const part of parts) {
    const twice = byIndex.get(part.run.shard.index);
    if (twice !== undefined)
      throw refuse(`share ${shardText(part.run.shard)} twice: ${twice.folder} and ${part.folder}`, "Leave one out.");
    byIndex.set(part.run.shard.index, part);
  }
  const { count } = parts[0].run.shard;
  const missing = Array.from({ length: count }, (_, i) => i + 1).filter((index) => !byIndex.has(index));
  if (missing.length === 0) return;
  const names = missing.slice(0, 10).map((index) => shardText({ index, count }));
  const more = missing.length > names.length ? ` and ${missing.length - names.length} more` : "";
  throw refuse(`no share ${names.join(", ")}${more}`, "Name its folder too, or run it: --shard i/n.");
}

async function requireFinished({ folder, run, suite, entry }: Part & { suite: AnySuite; entry: SuiteEntry }) {
  if (await isHeld(folder))
    throw refuse(`${folder} (share ${shardText(run.shard)}) in use by a process at work on it`, "Wait for it.");
  const { score } = await readScore(suite, folder);
  const open = score.unfinished ?? (run.status === "complete" ? null : `a run that is ${run.status}`);
  if (open === null) return;
  throw refuse(
    `share ${shardText(run.shard)} in ${folder} not finished: ${open}`,
    `Finish it first: ${runCommandOf(entry)} --resume ${shellWord(folder)}`,
  );
}
