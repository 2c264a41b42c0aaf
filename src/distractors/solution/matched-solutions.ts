import { countBy } from "../../base/grouping.js";
import type { Language } from "../../base/language.js";
import { hash32 } from "../../base/random.js";
import { wordsOf } from "../../question/floors/solution-rules.js";
import { loadSyntax, type ParsedCode, type Syntax } from "../../syntax/load.js";
import { isOwnName } from "../../syntax/own-names.js";
import { isContentWord } from "../near-miss/content-words.js";
import { NotBuilt } from "../surrogate.js";
import { type PoolMember, poolFor, WANTED } from "./candidate-pool.js";
import {
  type IntroducedToken,
  type Introduction,
  introducedTokens,
  type Token,
  tokensOf,
} from "./introduced-tokens.js";
import { lineNumberAt, type RankedLeaf, rankLeaves, revisedCode } from "./masked-leaf.js";
import { isShownElsewhere, namesInProse, type Surroundings } from "./replacements.js";
import { chooseOptions, type SolutionBalance } from "./solution-balance.js";
import { builtWith, byLikeness, resultOf, type SolutionResult, type SolutionTask } from "./solution-task.js";

/** Places that are tried before the question is given up. */
const MAX_PLACES = 10;

/**
 * Wrong revisions that give nothing away (spec §3, *matched*): all four options vary at one place, which the revision
 * introduces, by texts of the same kind and of like length from hunk, review and surrogate. Places are tried by tier, and in
 * a tier by the surrogate's mean surprisal.
 * @param balance of the benchmark so far; it is asked, not changed
 * @throws ProbeError `model_unavailable` when the surrogate fails
 */
export function matchedSolutions(task: SolutionTask, balance: Pick<SolutionBalance, "cost">): Promise<SolutionResult> {
  return resultOf(async () => {
    const code = await readCode(task);
    if (code.places.length === 0) throw new NotBuilt("nothing introduced that could be replaced");
    const ranking = await rankLeaves(code.text, code.places, task);
    const places = inOrder(ranking, code.surroundings).slice(0, MAX_PLACES);
    const { ranked, leafRank, members } = await findPlace(task, code, places);
    const { pooling, rated } = await byLikeness(code.text, members, task);
    const { token, introduction } = ranked.leaf;
    return builtWith(chooseOptions(rated, keyOf(task, ranked), task, balance), {
      method: "matched",
      leaf: { text: token.text, kind: kindOf(token), line: lineNumberAt(code.text, token.start) },
      introduction,
      surprisalBits: ranked.surprisalBits,
      leafRank,
      tries: Math.max(0, ...members.map(({ tries }) => tries ?? 0)),
      pooling,
    });
  });
}

/** Sorts by tier; in one tier texts that the question shows at that place alone come first, else the order stays. */
function inOrder(leaves: readonly RankedLeaf<Place>[], { shown }: Surroundings): RankedLeaf<Place>[] {
  const repeats = ({ leaf }: RankedLeaf<Place>) => Number(isShownElsewhere(shown, leaf.token.text));
  return [...leaves].sort((a, b) => a.leaf.tier - b.leaf.tier || repeats(a) - repeats(b));
}

interface FoundPlace {
  readonly ranked: RankedLeaf<Place>;
  readonly leafRank: number;
  readonly members: readonly PoolMember[];
}

/**
 * The first place with enough candidates that do not give the right one away. Where the masked text stands in the prompt
 * and some candidates do not, another place of the same tier comes first.
 * @throws NotBuilt where there is none
 */
async function findPlace(
  task: SolutionTask,
  code: ReadCode,
  places: readonly RankedLeaf<Place>[],
): Promise<FoundPlace> {
  let first: FoundPlace | null = null;
  for (const [i, ranked] of places.entries()) {
    task.signal.throwIfAborted();
    if (first !== null && ranked.leaf.tier > first.ranked.leaf.tier) break;
    const { token } = ranked.leaf;
    const members = await poolFor({ ...code, token, key: keyOf(task, ranked), task });
    if (members.length < WANTED || isGivenAway(token, members, code.surroundings)) continue;
    const found = { ranked, leafRank: i + 1, members };
    first ??= found;
    const isKnown = code.surroundings.prompt.has(token.text);
    if (!isKnown || members.every(({ isMatched }) => isMatched)) return found;
  }
  if (first === null) throw new NotBuilt(`fewer than ${WANTED} candidates of the same kind and like length`);
  return first;
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
  const shown = countBy(wordsOf(diff.solution));
  const tokens = [...before, ...after];
  const surroundings = { tokens, review: triple.review, prompt, shown, seed: hash32(triple.id, seed) };
  return { syntax, text, parsed, places, surroundings };
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
  const counts = countBy(introduced.map(({ token }) => token.text));
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
