import type { Language } from "../../base/language.js";
import { hash32 } from "../../base/random.js";
import { DIFFICULTIES } from "../../dataset/example.js";
import { wordsOf } from "../../question/floors/solution-rules.js";
import { cosine } from "../../stats/linear-algebra.js";
import { loadSyntax, type ParsedCode, type Syntax } from "../../syntax/load.js";
import { isOwnName } from "../../syntax/own-names.js";
import type { Surrogate } from "../surrogate.js";
import { type PoolMember, poolFor, WANTED } from "./candidate-pool.js";
import {
  type IntroducedToken,
  type Introduction,
  introducedTokens,
  type Token,
  tokensOf,
} from "./introduced-tokens.js";
import { lineNumberAt, type RankedLeaf, rankLeaves, revisedCode } from "./masked-leaf.js";
import { type Choice, chooseOptions, type RatedMember } from "./option-choice.js";
import type { SolutionExplanation, SolutionResult, SolutionTask } from "./paper-solutions.js";
import { isContentWord, isShownElsewhere, namesInProse, type Surroundings } from "./replacements.js";
import type { SolutionBalance } from "./solution-balance.js";

/** Places that are tried before the question is given up. */
const MAX_PLACES = 10;

/**
 * Wrong revisions that give nothing away (spec §3, *matched*): all four options vary at one place, which the revision
 * introduces, by texts of the same kind and of like length from hunk, review and surrogate. Places are tried by tier, and in
 * a tier by the surrogate's mean surprisal.
 * @param balance what the benchmark holds so far; it is asked, not changed
 * @throws ProbeError `model_unavailable` when the surrogate fails
 */
export async function matchedDistractors(
  task: SolutionTask,
  balance: Pick<SolutionBalance, "cost">,
  surrogate: Surrogate,
  signal: AbortSignal,
): Promise<SolutionResult> {
  const notBuilt = (reason: string): SolutionResult => ({ status: "not_built", reason });
  const code = await readCode(task);
  if (code.places.length === 0) return notBuilt("nothing introduced that could be replaced");
  const ranking = await rankLeaves(
    { triple: task.triple, revision: code.text, leaves: code.places },
    task.template,
    surrogate,
    signal,
  );
  if (ranking.status === "not_ranked") return notBuilt(ranking.reason);
  const places = inOrder(ranking.leaves, code.surroundings).slice(0, MAX_PLACES);
  const found = await findPlace(task, { code, places }, surrogate, signal);
  if (found.status !== "found") return notBuilt(found.reason);
  const { ranked, leafRank, members } = found;
  const rated = await rate(code.text, members, surrogate, signal);
  const { preReviewLines, review } = task.triple;
  const choice = { right: task.diff.solution, preReviewLines, review, key: keyOf(task, ranked), seed: task.seed };
  return select({ text: code.text, ranked, leafRank }, rated, choice, balance);
}

/** Sorts by tier; in one tier texts that the question shows at that place alone come first, else the order stays. */
function inOrder(leaves: readonly RankedLeaf<Place>[], { shown }: Surroundings): RankedLeaf<Place>[] {
  const repeats = ({ leaf }: RankedLeaf<Place>) => Number(isShownElsewhere(shown, leaf.token.text));
  return [...leaves].sort((a, b) => a.leaf.tier - b.leaf.tier || repeats(a) - repeats(b));
}

type FoundPlace =
  | {
      readonly status: "found";
      readonly ranked: RankedLeaf<Place>;
      readonly leafRank: number;
      readonly members: readonly PoolMember[];
    }
  | { readonly status: "none"; readonly reason: string };

/**
 * The first place with enough candidates that do not give the right one away. Where the masked text stands in the prompt and some candidates do not, another place of
 * the same tier comes first.
 */
async function findPlace(
  task: SolutionTask,
  { code, places }: { readonly code: ReadCode; readonly places: readonly RankedLeaf<Place>[] },
  surrogate: Surrogate,
  signal: AbortSignal,
): Promise<FoundPlace> {
  const { preReviewLines } = task.triple;
  let first: Extract<FoundPlace, { status: "found" }> | null = null;
  for (const [i, ranked] of places.entries()) {
    signal.throwIfAborted();
    if (first !== null && ranked.leaf.tier > first.ranked.leaf.tier) break;
    const { token } = ranked.leaf;
    const search = { ...code, token, preReviewLines, diff: task.diff, key: keyOf(task, ranked), seed: task.seed };
    const pool = await poolFor(search, surrogate, signal);
    if (pool.status === "failed") return { status: "none", reason: pool.reason };
    if (pool.members.length < WANTED || isGivenAway(token, pool.members, code.surroundings)) continue;
    first ??= { status: "found", ranked, leafRank: i + 1, members: pool.members };
    const isKnown = code.surroundings.prompt.has(token.text);
    if (!isKnown || pool.members.every(({ isMatched }) => isMatched)) {
      return { status: "found", ranked, leafRank: i + 1, members: pool.members };
    }
  }
  return first ?? { status: "none", reason: `fewer than ${WANTED} candidates of the same kind and like length` };
}

/** Candidates that the question shows elsewhere, for a right text that it does: one for each difficulty. */
const SHOWN_WANTED = 2;

/**
 * Tells whether the question shows the right text elsewhere, and too few candidates: the right option would be the only one
 * without a word of its own.
 */
function isGivenAway(token: Token, members: readonly PoolMember[], { shown }: Surroundings): boolean {
  return isShownElsewhere(shown, token.text) && members.filter(({ isShown }) => isShown).length < SHOWN_WANTED;
}

function keyOf({ triple }: SolutionTask, { leaf }: RankedLeaf<Place>): string {
  return `${triple.id} ${leaf.start}`;
}

interface ReadCode {
  readonly syntax: Syntax;
  /** The right revision. */
  readonly text: string;
  readonly parsed: ParsedCode;
  readonly places: readonly Place[];
  readonly surroundings: Surroundings;
}

async function readCode({ triple, diff, seed }: SolutionTask): Promise<ReadCode> {
  const syntax = await loadSyntax(triple.language);
  const { text } = revisedCode(diff.new);
  const parsed = syntax.parse(text);
  const old = triple.preReviewLines.join("\n");
  const before: Token[] = tokensOf(old, syntax.parse(old));
  const after = tokensOf(text, parsed);
  const introduced = introducedTokens(diff, before, after).filter(
    ({ token }) => token.sort !== "name" || !syntax.isFixed(token.text),
  );
  const places = placesIn(introduced, { text, ...triple });
  const prompt = new Set(wordsOf(`${old}\n${triple.review}`));
  const shown = countsOf(wordsOf(diff.solution));
  const tokens = [...before, ...after];
  const surroundings = { tokens, review: triple.review, prompt, shown, seed: hash32(triple.id, seed) };
  return { syntax, text, parsed, places, surroundings };
}

function countsOf(words: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** The candidates by likeness to the right revision, the least like it first; of equally like ones the one found first. */
async function rate(
  text: string,
  members: readonly PoolMember[],
  surrogate: Pick<Surrogate, "embed">,
  signal: AbortSignal,
): Promise<{ readonly pooling: string; readonly members: readonly RatedMember[] }> {
  const truth = await surrogate.embed(text, signal);
  const rated: RatedMember[] = [];
  for (const member of members) {
    const { vector } = await surrogate.embed(member.revision, signal);
    rated.push({ ...member, cosine: cosine(vector, truth.vector) });
  }
  return { pooling: truth.pooling, members: rated.sort((a, b) => a.cosine - b.cosine) };
}

interface Origin {
  readonly text: string;
  readonly ranked: RankedLeaf<Place>;
  readonly leafRank: number;
}

function select(
  { text, ranked, leafRank }: Origin,
  { pooling, members }: { readonly pooling: string; readonly members: readonly RatedMember[] },
  choice: Choice,
  balance: Pick<SolutionBalance, "cost">,
): SolutionResult {
  const chosen = chooseOptions(members, choice, balance);
  const { token, introduction } = ranked.leaf;
  const explanation: SolutionExplanation = {
    method: "matched",
    leaf: { text: token.text, kind: kindOf(token), line: lineNumberAt(text, token.start) },
    introduction,
    surprisalBits: ranked.surprisalBits,
    leafRank,
    tries: Math.max(0, ...members.map(({ tries }) => tries ?? 0)),
    pooling,
    distractors: DIFFICULTIES.flatMap((difficulty) =>
      chosen[difficulty].map(({ replacement, cosine: likeness, tries, source }) => {
        return { difficulty, replacement, cosine: likeness, tries, source };
      }),
    ),
  };
  const solutions = (of: readonly RatedMember[]) => of.map(({ solution }) => solution);
  return { status: "built", easy: solutions(chosen.easy), hard: solutions(chosen.hard), explanation };
}

function kindOf({ sort, leaf }: Token): string {
  return sort === "word" ? `word of ${leaf.kind}` : leaf.kind;
}

/** A token that could be masked. */
interface Place extends IntroducedToken {
  readonly start: number;
  readonly end: number;
  /** 0: what the revision is most likely about. */
  readonly tier: number;
}

/**
 * The tokens that a question can turn on, in tiers. First names and numbers that the revision brings along; then words and
 * numbers of prose, and operators; then names that are declared there, or stand there more than once: another name for a thing that is new
 * is no wrong revision, and what every program in the language has is told from it at sight. Last what the removed lines have as well: the smallest expression that changed.
 */
export function placesIn(
  introduced: readonly IntroducedToken[],
  { text, review, language }: { readonly text: string; readonly review: string; readonly language: Language },
): Place[] {
  const counts = new Map<string, number>();
  for (const { token } of introduced) counts.set(token.text, (counts.get(token.text) ?? 0) + 1);
  const asked = new Set([...namesInProse(review), ...(review.match(/[\p{L}\p{N}_]+/gu) ?? [])]);
  return introduced
    .filter(({ token }) => isMaskable(token))
    .map((each) => {
      const { token, introduction } = each;
      const isBound = counts.get(token.text) === 1 && !isDeclared(token, text);
      const isTelling = token.text.length > 2 && !isOwnName(language, token.text);
      const tier = tierOfSort(token, isTelling && (isBound || asked.has(token.text)));
      return { ...each, start: token.start, end: token.end, tier: TIER_OF_INTRODUCTION[introduction] + tier };
    });
}

const TIER_OF_INTRODUCTION: Readonly<Record<Introduction, number>> = { new: 0, moved: 3, beside: 6 };

function tierOfSort({ sort, inProse }: Token, isTelling: boolean): number {
  if (inProse || sort === "word" || sort === "operator") return 1;
  return sort === "name" && !isTelling ? 2 : 0;
}

function isMaskable({ sort, text }: Token): boolean {
  return sort === "word" ? isContentWord(text) : sort !== "other";
}

/** Tells whether a name stands where it is given to something. */
function isDeclared({ start, end, leaf }: Token, text: string): boolean {
  const after = text.slice(end).trimStart();
  if (/^(?::=|=(?![=>~]))/.test(after)) return true;
  const isDefinition = /declarat|definition|parameter/.test(leaf.parentKind ?? "");
  return isDefinition && /^[,;:()={]/.test(after) && !/=\s*$/.test(text.slice(0, start));
}
