import type { TextRange } from "../../base/text.js";
import { commonStem, fillTemplate } from "../../question/prompt.js";
import { infill, replacementFrom, withReplacement } from "../solution/infilled-candidates.js";
import { meanSurprisalBits, type RankedLeaf, rankLeaves } from "../solution/masked-leaf.js";
import type { SolutionTask } from "../solution/solution-task.js";
import { answered, NotBuilt } from "../surrogate.js";
import { type NearMiss, withMisses } from "./near-miss.js";
import type { Revision } from "./revision.js";

/** Introduced leaves that are infilled, those of the highest surprisal; and infills of each. */
const INFILLED_LEAVES = 3;
const TRIES = 6;
/** Cost of an infill that is as probable as what stands there. */
const INFILLED_COST = 0.5;
/** Near misses that are ordered, the best. */
const MOST_ORDERED = 16;
/** Cost of the least probable of them; the most probable has none. */
const ORDER_COST = 0.5;

/**
 * Near misses as a surrogate weighs them (spec §3): infills of what the revision introduces, where they are as probable as
 * what stands there, and the others in the order of their probability.
 * @returns the misses as they are where the code is too long for the surrogate
 * @throws ProbeError `model_unavailable` when the surrogate fails
 */
export async function weighedMisses(
  misses: readonly NearMiss[],
  revision: Revision,
  task: SolutionTask,
): Promise<NearMiss[]> {
  try {
    const all = [...misses, ...(await infilledMisses(revision, task))].sort((a, b) => a.cost - b.cost);
    return [...(await ordered(all.slice(0, MOST_ORDERED), revision, task)), ...all.slice(MOST_ORDERED)];
  } catch (error) {
    if (error instanceof NotBuilt) return [...misses];
    throw error;
  }
}

async function infilledMisses(revision: Revision, task: SolutionTask): Promise<NearMiss[]> {
  const { text, introduced } = revision;
  const leaves = [...introduced].flatMap(([token, introduction]) =>
    introduction === "new" && !token.inProse && token.leaf.isNamed ? token.leaf : [],
  );
  const ranking = await rankLeaves(text, leaves, task);
  const found: NearMiss[] = [];
  for (const ranked of ranking.slice(0, INFILLED_LEAVES)) found.push(...(await infillsOf(ranked, revision, task)));
  return found;
}

async function infillsOf(
  { leaf, surprisalBits }: RankedLeaf,
  { syntax, text, parsed }: Revision,
  task: SolutionTask,
): Promise<NearMiss[]> {
  const gap = { syntax, text, parsed, leaf };
  const infills = new Set<string>();
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    task.signal.throwIfAborted();
    const key = `${task.triple.id} ${leaf.start} ${attempt}`;
    const replacement = replacementFrom(gap, await infill(text, leaf, key, task));
    if (replacement !== null) infills.add(replacement);
  }
  const misses: NearMiss[] = [];
  for (const to of infills) {
    const range = { start: leaf.start, end: leaf.start + to.length };
    const bits = await surprisalOf(withReplacement(gap, to), range, task);
    if (bits === null || bits > surprisalBits) continue;
    const edits = [{ start: leaf.start, end: leaf.end, to }];
    misses.push({ kind: "infilled", edits, isAsked: true, cost: INFILLED_COST });
  }
  return misses;
}

/** The misses with what their improbability costs. */
async function ordered(misses: readonly NearMiss[], { text }: Revision, task: SolutionTask): Promise<NearMiss[]> {
  const rated: { readonly miss: NearMiss; readonly bits: number }[] = [];
  for (const miss of misses) {
    task.signal.throwIfAborted();
    const code = withMisses(text, [miss]);
    const bits = await surprisalOf(code, { start: 0, end: code.length }, task);
    rated.push({ miss, bits: bits ?? Number.POSITIVE_INFINITY });
  }
  return rated
    .sort((a, b) => a.bits - b.bits)
    .map(({ miss }, place) => ({ ...miss, cost: miss.cost + (ORDER_COST * place) / Math.max(1, misses.length - 1) }));
}

/** Mean surprisal of a piece of a revision in the context of the generative task, bits a token. */
async function surprisalOf(code: string, { start, end }: TextRange, task: SolutionTask): Promise<number | null> {
  const { triple, template, surrogate, signal } = task;
  const prompt = fillTemplate(template, commonStem(triple));
  const scores = answered(await surrogate.scoreTokens(prompt + code, signal));
  return meanSurprisalBits(scores, { start: prompt.length + start, end: prompt.length + end });
}
