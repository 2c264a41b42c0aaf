import { z } from "zod";
import { isSystemError, messageOf } from "../../../base/errors.js";
import { shorten } from "../../../base/text.js";
import { readText } from "../../../store/text-lines.js";
import { cleanId, type LineSpan, type Rule, type Scan, type ScanResult } from "./taste-rule.js";

/** Results of a large repository. */
export const MOST_SARIF_BYTES = 128 * 1024 * 1024;

const line = z.int().positive();
const locationSchema = z.looseObject({
  physicalLocation: z
    .looseObject({
      artifactLocation: z.looseObject({ uri: z.string().optional() }).nullish(),
      region: z.looseObject({ startLine: line.optional(), endLine: line.optional() }).nullish(),
    })
    .nullish(),
});
const resultSchema = z.looseObject({ ruleId: z.string().nullish(), locations: z.array(locationSchema).nullish() });
const notices = z.array(z.unknown()).nullish();
const invocationSchema = z.looseObject({
  executionSuccessful: z.boolean().nullish(),
  toolExecutionNotifications: notices,
  toolConfigurationNotifications: notices,
});
const sarifSchema = z.looseObject({
  runs: z.array(
    z.looseObject({
      results: z.array(resultSchema).nullish(),
      invocations: z.array(invocationSchema).nullish(),
    }),
  ),
});
/** Results of a scan as tools write them (SARIF 2.1.0), as far as they count. */
type Sarif = z.infer<typeof sarifSchema>;
type SarifResult = z.infer<typeof resultSchema>;

/**
 * Reads the results of these rules from a SARIF file; missing where it cannot be read, or tells of a scan that failed.
 * @param rules `null`: they are not known, and those that have results count
 */
export async function readScan(path: string, rules: readonly Rule[] | null): Promise<ScanResult> {
  try {
    return readScanText(await readText(path, MOST_SARIF_BYTES), rules);
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return { status: "missing", detail: "there is no SARIF file" };
    return unreadable(error);
  }
}

/** Reads the results of these rules from the text of a SARIF file. */
export function readScanText(text: string, rules: readonly Rule[] | null): ScanResult {
  try {
    return scanOf(sarifSchema.parse(JSON.parse(text)), rules);
  } catch (error) {
    return unreadable(error);
  }
}

function unreadable(error: unknown): ScanResult {
  return { status: "missing", detail: `a SARIF file that cannot be read: ${shorten(messageOf(error), 200)}` };
}

/** Results of these rules in SARIF: a rule without results matched nothing. */
export function scanOf({ runs }: Sarif, rules: readonly Rule[] | null): ScanResult {
  const invocations = runs.flatMap((run) => run.invocations ?? []);
  if (runs.length === 0) return { status: "missing", detail: "a SARIF file without a run" };
  if (invocations.some((each) => each.executionSuccessful === false))
    return { status: "missing", detail: "the scan failed" };
  const results = runs.flatMap((run) => run.results ?? []);
  const errors = invocations.reduce(
    (sum, each) =>
      sum + (each.toolExecutionNotifications?.length ?? 0) + (each.toolConfigurationNotifications?.length ?? 0),
    0,
  );
  return { status: "scanned", matches: matchesOf(results, rules), notRun: [], errors };
}

function matchesOf(results: readonly SarifResult[], rules: readonly Rule[] | null): Scan["matches"] {
  const matches = new Map<string, LineSpan[]>((rules ?? []).map(({ id }) => [id, []]));
  for (const { ruleId, locations } of results) {
    if (ruleId == null) continue;
    const id = cleanId(ruleId);
    const own = matches.get(id) ?? [];
    // A result without a place that can be told is a match all the same.
    const spans = (locations ?? []).flatMap(spanOf);
    for (const span of spans.length === 0 ? [NOWHERE] : spans) own.push(span);
    if (rules === null) matches.set(id, own);
  }
  return matches;
}

/** The place of a match that names none. */
const NOWHERE: LineSpan = { path: "", first: 0, last: 0 };

function spanOf({ physicalLocation }: z.infer<typeof locationSchema>): LineSpan[] {
  const uri = physicalLocation?.artifactLocation?.uri;
  const first = physicalLocation?.region?.startLine;
  if (uri === undefined || first === undefined) return [];
  return [{ path: uri.replace(/^\.\//, ""), first, last: physicalLocation?.region?.endLine ?? first }];
}
