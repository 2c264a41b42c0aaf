import { readdir, realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { badInput, isSystemError, messageOf, whereMissing } from "../../base/errors.js";
import { shorten } from "../../base/text.js";
import { readText } from "../../store/text-lines.js";
import { sealedText } from "../../workspace/sealed-files.js";
import { cleanId, type Rule, type RuleSet, type RuleSide, SIDES } from "./rules/taste-rule.js";
import { countsOf, type PassBand, passBand } from "./score/test-counts.js";

/** Path of an instance in every folder of the released layout: owner, repository, eight digits of its commit. */
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

/** Test counts of right solutions and of unmodified code; `null`: the data have none. */
export async function readBand(data: string, instance: InstanceName): Promise<PassBand | null> {
  const folder = join(data, "baseline_results", instancePath(instance));
  const texts = await Promise.all(BASELINE_FILES.map((file) => textOf(join(folder, file))));
  return passBand(texts.flatMap((text) => text.split("\n").flatMap((line) => countsOf(line) ?? [])));
}

/** A text of data that somebody sent, from a plain file; `""`: there is none. */
export async function textOf(path: string): Promise<string> {
  const folder = await realpath(dirname(path)).catch(whereMissing(null, "ENOENT", "ENOTDIR"));
  return folder === null ? "" : ((await sealedText(folder, basename(path))) ?? "");
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
  const entries = await readdir(folder, { withFileTypes: true }).catch(whereMissing([], "ENOENT", "ENOTDIR"));
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

/** Names of the released files. */
const RULE_FILES: Readonly<Record<RuleSide, string>> = {
  additive: "rules_positive.yml",
  reductive: "rules_negative.yml",
};

const names = z.array(z.string()).nullish();
const ruleSchema = z.looseObject({
  id: z.string().min(1),
  languages: names,
  paths: z.looseObject({ include: names, exclude: names }).nullish(),
});
const fileSchema = z.looseObject({ rules: z.array(ruleSchema) });
type ReadRule = z.infer<typeof ruleSchema>;

/** Keys that do not change what a rule matches. */
const SILENT = new Set(["id", "message", "severity", "languages", "metadata", "paths", "fix", "fix-regex"]);

/**
 * Reads a rule file.
 * @returns `null` where there is none
 * @throws ProbeError `bad_input` for a file that holds no rules
 */
export async function readRules(path: string, side: RuleSide): Promise<RuleSet | null> {
  try {
    return { side, path, rules: parseRules(await readText(path)) };
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return null;
    const found = error instanceof z.ZodError ? z.prettifyError(error) : messageOf(error);
    throw badInput(`Expected rules in ${path}, found: ${shorten(found, 300)}`, error);
  }
}

/** @throws what the YAML or its shape is at fault for */
export function parseRules(text: string): Rule[] {
  const { rules } = fileSchema.parse(parse(text, { maxAliasCount: 100 }));
  return rules.map(ruleOf);
}

function ruleOf(read: ReadRule): Rule {
  const kinds = Object.keys(read).filter((key) => !SILENT.has(key));
  const { include, exclude } = read.paths ?? {};
  return {
    id: cleanId(read.id),
    kind: kinds.join(", "),
    languages: read.languages ?? [],
    paths: { include: include ?? [], exclude: exclude ?? [] },
    expressions: expressionsOf(read, kinds),
  };
}

/** Expressions of a rule that is one regular expression, or a choice of several, and nothing else. */
function expressionsOf(read: ReadRule, kinds: readonly string[]): readonly string[] | null {
  if (kinds.length !== 1) return null;
  const [kind] = kinds;
  if (kind === "pattern-regex") return expression(read[kind]);
  if (kind !== "pattern-either") return null;
  const choices = read[kind];
  if (!Array.isArray(choices) || choices.length === 0) return null;
  const found = choices.map((choice: unknown) =>
    isRecord(choice) && Object.keys(choice).length === 1 ? expression(choice["pattern-regex"]) : null,
  );
  return found.includes(null) ? null : found.flatMap((each) => each ?? []);
}

function expression(value: unknown): readonly string[] | null {
  return typeof value === "string" ? [value] : null;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
