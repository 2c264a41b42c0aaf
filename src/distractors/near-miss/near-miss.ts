import type { TextRange } from "../../base/text.js";

/**
 * Sorts of a near miss:
 * - `put_back`: one of several changed pieces or lines as it was
 * - `both`: a piece with what it took the place of left standing before it
 * - `dropped`, `kept`: an added line left out; a removed line left standing
 * - `removed_too`: a line beside the removed ones gone, too
 * - `elsewhere`: the same change at another place where it could be made; `everywhere`: there as well
 * - `other_left_out`: another item of a list left out
 * - `opposite`: a word of a name for its opposite (`first`, `last`), a constant or keyword likewise
 * - `name`: another name of the same role
 * - `made_name`: a word of a name for one that plays the same part in another name
 * - `spelling`: a name or text that the review gives, in another letter case or style of names; a word spelt right, otherwise wrong
 * - `operator`, `number` (another), `negation`, `arguments` (two in each other's place)
 * - `guard`: an operand of a condition left out; `shorter`: the last of several arguments or members, or the first argument; `bound`: the end of a loop off by one
 * - `receiver`: the object left out that a method is of (`self.`, `this.`); `brackets`: those of a call without arguments left out
 * - `format`: another directive of a format, or the end of a line left out
 * - `marker`: a modifier or a sign of a type left out (`const`, `*`), or `await` put in; `returned`: nothing returned for an error, or a `return` left out
 * - `word`: words of a comment or text that the review gives, in the other number, or one of two left out
 * - `place`: added lines one statement further up or down
 * - `infilled`: another code element, which a surrogate holds for as probable
 * - `written`: a fault that a model wrote
 */
export type NearMissKind =
  | "put_back"
  | "both"
  | "dropped"
  | "kept"
  | "removed_too"
  | "elsewhere"
  | "everywhere"
  | "other_left_out"
  | "opposite"
  | "name"
  | "made_name"
  | "spelling"
  | "operator"
  | "number"
  | "negation"
  | "guard"
  | "shorter"
  | "bound"
  | "marker"
  | "receiver"
  | "brackets"
  | "format"
  | "returned"
  | "arguments"
  | "word"
  | "place"
  | "infilled"
  | "written";

/** A range of the revision with another text. */
export interface Edit extends TextRange {
  readonly to: string;
}

/** A small fault that somebody could have made in a revision. */
export interface NearMiss {
  readonly kind: NearMissKind;
  /** Ascending, at least one. */
  readonly edits: readonly Edit[];
  /** Tells whether it is at a place that the revision introduces, and so changes what the review asks for. */
  readonly isAsked: boolean;
  /** Cost of its quality: 0 for what is made every day, 2 for what few would write. */
  readonly cost: number;
  /** Names of those that no square holds it with, where a model was asked. */
  readonly apartFrom?: readonly string[];
}

/** Name of a near miss among those of its revision. */
export function nameOf({ edits }: NearMiss): string {
  return edits.map(({ start, end, to }) => `${start} ${end} ${to}`).join("\n");
}

/**
 * How doubtful the near misses of a kind are, at what the review asks for and elsewhere: between the share that three
 * readers called odd or defensible (of 483 of 300 reviews, each beside the right revision) and what a writer's check said
 * of 1,338 others of 270 reviews (taken for right, or that hardly anybody would hand them in).
 */
const DOUBTED: Readonly<Partial<Record<NearMissKind, readonly [number, number]>>> = {
  returned: [0.1, 0.1],
  operator: [0.1, 0.6],
  receiver: [0.2, 0.2],
  guard: [0.2, 0.3],
  put_back: [0.2, 0.3],
  marker: [0.2, 0.5],
  brackets: [0.3, 0.3],
  negation: [0.3, 0.5],
  spelling: [0.4, 0.5],
  format: [0.4, 0.8],
  removed_too: [0.4, 0.8],
  everywhere: [0.5, 0.4],
  made_name: [0.5, 0.4],
  bound: [0.5, 0.5],
  arguments: [0.5, 0.8],
  dropped: [0.6, 0.4],
  kept: [0.6, 0.4],
  place: [0.6, 0.6],
  other_left_out: [0.7, 0.7],
  shorter: [0.7, 0.7],
  name: [0.7, 0.8],
  opposite: [0.7, 0.8],
  word: [0.7, 0.8],
  number: [0.7, 0.9],
  both: [0.8, 0.8],
  elsewhere: [0.9, 0.9],
};

/** Cost of a kind, besides what its place and text cost. */
export function costOfKind({ kind, isAsked }: Pick<NearMiss, "kind" | "isAsked">): number {
  return DOUBTED[kind]?.[isAsked ? 0 : 1] ?? 0;
}

/** The revision with near misses in it; they are independent. */
export function withMisses(text: string, misses: readonly NearMiss[]): string {
  const fromBehind = misses.flatMap(({ edits }) => edits).sort((a, b) => b.start - a.start || b.end - a.end);
  return fromBehind.reduce((code, { start, end, to }) => code.slice(0, start) + to + code.slice(end), text);
}

/** Tells whether two near misses can be made each without the other; what is put in stands before what is changed there. */
export function areIndependent(a: NearMiss, b: NearMiss): boolean {
  if (a.apartFrom?.includes(nameOf(b)) === true || b.apartFrom?.includes(nameOf(a)) === true) return false;
  return a.edits.every((one) => b.edits.every((other) => areApart(one, other)));
}

function areApart(a: Edit, b: Edit): boolean {
  if (a.start === b.start) return (a.start === a.end) !== (b.start === b.end);
  return a.end <= b.start || b.end <= a.start;
}
