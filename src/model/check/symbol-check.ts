import { symbolQuestion } from "../wire/questions.js";
import type { ReportedPosition } from "../wire/reported-tokens.js";
import type { ExtractionWay } from "../wire/ways.js";
import { CANARY_SYMBOLS, type CanaryReply, canaryPrompts, examineCanaries } from "./canaries.js";
import type { Ability, Ask, Finding, TriedWay } from "./try-ways.js";

type Evidence = readonly CanaryReply[];

/** Reports the log probabilities of a prompt's next token: all canaries are asked, in order. */
export const SYMBOLS: Ability<ExtractionWay, Evidence> = {
  rowOf: ({ extraction }) => extraction,
  probe: probeSymbols,
  agree: sameNumbers,
  spared: (way, tried) =>
    tried.some((earlier) => showsMore(earlier, way)) ? "a longer list of the same numbers was refused" : null,
  example: (way) => way.request("{prompt}", CANARY_SYMBOLS),
};

async function probeSymbols(way: ExtractionWay, ask: Ask): Promise<Finding<ExtractionWay, Evidence>> {
  const evidence: CanaryReply[] = [];
  for (const canary of canaryPrompts())
    evidence.push({ canary, position: await ask(symbolQuestion(way, canary.text, CANARY_SYMBOLS)) });
  const { listLength, isGuided } = way;
  const found = examineCanaries(evidence, { symbols: CANARY_SYMBOLS, listLength, isGuided });
  return found.status === "works"
    ? { status: "works", notes: found.warnings, measures: found.measures, evidence }
    : { ...found, evidence };
}

/** `true` where the numbers of a list were refused of which `way` would show the beginning: only less that is wrong. */
function showsMore({ way: earlier, finding }: TriedWay<ExtractionWay, Evidence>, way: ExtractionWay): boolean {
  const isSameList = earlier.extraction === way.extraction && !earlier.isGuided && !way.isGuided;
  if (!isSameList || finding?.status !== "refused") return false;
  return (finding.evidence ?? []).some(({ position }) => position !== null);
}

type Replies = readonly { readonly position: ReportedPosition | null }[];

/** Nats by which two servers of one model may differ: their batches and processors do. */
const TOLERANCE = 0.25;

/** `true` where two servers gave the same most probable tokens, about as probable, to the same prompts. */
export function sameNumbers(a: Replies, b: Replies): boolean {
  return a.every(({ position }, i) => {
    const [mine, theirs] = [position?.top[0], b[i]?.position?.top];
    if (mine === undefined || theirs === undefined) return false;
    const match = theirs.find(({ bytes }) => bytes.equals(mine.bytes));
    return match !== undefined && Math.abs(match.logprob - mine.logprob) <= TOLERANCE;
  });
}
