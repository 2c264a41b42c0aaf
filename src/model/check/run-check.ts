import type { ChoiceSymbol } from "../../base/symbol.js";
import { RequestError } from "../http/request-error.js";
import type { ReportedPosition } from "../wire/reported-tokens.js";
import type { ExtractionWay } from "../wire/ways.js";
import { CANARY_SYMBOLS, type CanaryPrompt, canaryPrompts, judgeCanaries } from "./canaries.js";
import type { CheckedWay } from "./check-report.js";

/** Asks one canary in one way; `null`: the reply had no log probabilities. Throws RequestError. */
export type AskCanary = (
  way: ExtractionWay,
  prompt: string,
  symbols: readonly ChoiceSymbol[],
) => Promise<ReportedPosition | null>;

/** What the check of one way found, with the replies for a comparison of servers. */
export interface WayCheck {
  readonly way: ExtractionWay;
  readonly result: CheckedWay;
  readonly replies: readonly { readonly canary: CanaryPrompt; readonly position: ReportedPosition | null }[];
}

/**
 * Tries the ways in order until one works; those after it are not tried. Nor is a shorter list than one whose numbers
 * were refused: it would only show less of what is wrong with them.
 * @throws RequestError when the server cannot be reached
 */
export async function checkWays(ways: readonly ExtractionWay[], ask: AskCanary): Promise<WayCheck[]> {
  const checks: WayCheck[] = [];
  for (const way of ways) {
    const isFound = checks.some(({ result }) => result.status === "works");
    if (isFound) checks.push({ way, result: resultOf(way, "not_tried", []), replies: [] });
    else if (checks.some((check) => showsMore(check, way)))
      checks.push({ way, result: resultOf(way, "not_tried", [SHORTER]), replies: [] });
    else checks.push(await checkWay(way, ask));
  }
  return checks;
}

const SHORTER = "a longer list of the same numbers was refused";

/** Whether a check refused the numbers of a list of which `way` would be the beginning. */
function showsMore({ way: earlier, result, replies }: WayCheck, way: ExtractionWay): boolean {
  const isSameList = earlier.extraction === way.extraction && !earlier.isGuided && !way.isGuided;
  return isSameList && result.status === "refused" && replies.some(({ position }) => position !== null);
}

/** Asks all canaries in one way, and judges the replies. */
export async function checkWay(way: ExtractionWay, ask: AskCanary): Promise<WayCheck> {
  const symbols = CANARY_SYMBOLS;
  const replies: { canary: CanaryPrompt; position: ReportedPosition | null }[] = [];
  try {
    for (const canary of canaryPrompts()) replies.push({ canary, position: await ask(way, canary.text, symbols) });
  } catch (error) {
    if (!(error instanceof RequestError) || error.trouble === "down" || error.status === 0) throw error;
    return { way, result: resultOf(way, "not_offered", [error.message]), replies };
  }
  const verdict = judgeCanaries(replies, { symbols, listLength: way.listLength, isGuided: way.isGuided });
  if (verdict.status === "refused") return { way, result: resultOf(way, "refused", [verdict.reason]), replies };
  return { way, result: { ...resultOf(way, "works", verdict.warnings), measures: verdict.measures }, replies };
}

function resultOf(way: ExtractionWay, status: CheckedWay["status"], notes: readonly string[]): CheckedWay {
  return { way: way.name, extraction: way.extraction, status, notes, measures: null };
}
