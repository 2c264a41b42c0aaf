import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { isSystemError } from "../../../base/errors.js";
import { RULE_FILES, readRules } from "../rules/read-rules.js";
import { type RuleSet, type RuleSide, SIDES } from "../rules/rule.js";
import { countsOf, type PassBand, passBand } from "../score/test-counts.js";

/** Where an instance stands in every folder of the released layout: owner, repository, eight digits of its commit. */
export interface InstanceName {
  readonly owner: string;
  readonly repository: string;
  readonly hash: string;
}

/** `owner/repository/hash`: the id of its task, and its folder. */
export function instancePath({ owner, repository, hash }: InstanceName): string {
  return `${owner}/${repository}/${hash}`;
}

/** Rules of both sides. */
export type RuleSets = Readonly<Record<RuleSide, RuleSet>>;

/**
 * The rules of an instance.
 * @param folders where they may be; in each the first that has a file counts
 * @throws ProbeError `bad_input` for a file that holds none
 */
export async function readRuleSets(folders: readonly string[]): Promise<RuleSets> {
  const [additive, reductive] = await Promise.all(SIDES.map((side) => readSide(folders, side)));
  return { additive: additive ?? noRules("additive"), reductive: reductive ?? noRules("reductive") };
}

async function readSide(folders: readonly string[], side: RuleSide): Promise<RuleSet | null> {
  for (const folder of folders) {
    const found = await readRules(join(folder, RULE_FILES[side]), side);
    if (found !== null) return found;
  }
  return null;
}

function noRules(side: RuleSide): RuleSet {
  return { side, path: "", rules: [] };
}

const BASELINE_FILES = ["golden_agent.jsonl", "null_agent.jsonl"];

/** What the tests of right solutions and of unmodified code came to; `null`: nothing says so. */
export async function readBand(data: string, instance: InstanceName): Promise<PassBand | null> {
  const folder = join(data, "baseline_results", instancePath(instance));
  const texts = await Promise.all(BASELINE_FILES.map((file) => textOf(join(folder, file))));
  return passBand(texts.flatMap((text) => text.split("\n").flatMap((line) => countsOf(line) ?? [])));
}

/** A text that may be missing. */
export async function textOf(path: string): Promise<string> {
  return readFile(path, "utf8").catch((error: unknown) => {
    if (isSystemError(error, "ENOENT")) return "";
    throw error;
  });
}

/** Instances that have a folder, in order. */
export async function instancesIn(folder: string): Promise<InstanceName[]> {
  const found: InstanceName[] = [];
  for (const owner of await foldersIn(folder))
    for (const repository of await foldersIn(join(folder, owner)))
      for (const hash of await foldersIn(join(folder, owner, repository))) found.push({ owner, repository, hash });
  return found;
}

/** Names of the folders in a folder, in order; none where there is no such folder. */
export async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (isSystemError(error, "ENOENT") || isSystemError(error, "ENOTDIR")) return [];
    throw error;
  });
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}
