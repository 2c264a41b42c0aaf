import { parse } from "yaml";
import { z } from "zod";
import { isSystemError, messageOf, ProbeError } from "../../../base/errors.js";
import { shorten } from "../../../base/text.js";
import { readText } from "../../../store/read-text.js";
import { cleanId, type Rule, type RuleSet, type RuleSide } from "./rule.js";

/** Names of the released files. */
export const RULE_FILES: Readonly<Record<RuleSide, string>> = {
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
    throw new ProbeError("bad_input", `Expected rules in ${path}, found: ${shorten(found, 300)}`, { cause: error });
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

/** Of a rule that is one regular expression, or a choice of several, and nothing else. */
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
