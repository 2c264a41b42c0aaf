import { mean } from "simple-statistics";
import type { ChangeType, Location } from "../../dataset/example.js";
import { rounded, type ShippedRule, setOverlaps } from "./rule.js";
import { partsOf } from "./solution-rules.js";

/** A CL question as the rules see it. */
export interface LocationView {
  /** The options; 0 is the right one. Numbers from 1; for `add` the line after which, 0 = before the first. */
  readonly locations: readonly Location[];
  /** The pre-review code, without marker columns. */
  readonly lines: readonly string[];
  readonly review: string;
  readonly changeType: ChangeType;
}

/** The ways to pick a location without comprehension (spec §7). All see the options; a few also the code's lines. */
export const LOCATION_RULES: readonly ShippedRule<LocationView>[] = [
  /** − mean of the line numbers. */
  {
    name: "lowest_lines",
    sees: "options",
    text: "the lowest line numbers",
    balance: 2,
    score: ({ locations }) => locations.map((lines) => -mean([...lines])),
  },
  /** Mean of the line numbers. */
  {
    name: "highest_lines",
    sees: "options",
    text: "the highest line numbers",
    balance: 2,
    score: ({ locations }) => locations.map((lines) => mean([...lines])),
  },
  /** − |mean of the line numbers − middle of the hunk|; the middle of n lines is (n + 1)/2, of n + 1 gaps n/2. */
  {
    name: "nearest_middle",
    sees: "options+code",
    text: "the lines nearest to the middle of the hunk",
    balance: 12,
    score: nearness,
  },
  /** − (last line − first line). */
  {
    name: "smallest_span",
    sees: "options",
    text: "the lines closest together",
    balance: 6,
    score: ({ locations }) => locations.map((lines) => -spanOf(lines)),
  },
  /** − number of runs of consecutive line numbers. */
  {
    name: "fewest_runs",
    sees: "options",
    text: "the lines in fewest runs",
    balance: 6,
    score: ({ locations }) => locations.map((lines) => -runsOf(lines)),
  },
  /** Sum of the Jaccard similarities to the other options. */
  {
    name: "medoid",
    sees: "options",
    text: "the option that shares most lines with the others",
    balance: 1,
    score: ({ locations }) => setOverlaps(locations),
  },
  /** Rank by `medoid`, equals by `fewest_runs`: number of options behind it. */
  {
    name: "medoid_fewest_runs",
    sees: "options",
    text: "likewise, among equals the one in fewest runs",
    balance: 1,
    score: ({ locations }) => medoidThenRuns(locations),
  },
  /** Mean length in characters, outer space aside, of the lines that the option shows. */
  {
    name: "longest_lines",
    sees: "options+code",
    text: "the longest lines of code",
    balance: 4,
    score: (view) => ofShownLines(view, (text) => text.trim().length),
  },
  /** − share of blank lines and lone brackets among the lines that the option shows. */
  {
    name: "fewest_blank_lines",
    sees: "options+code",
    text: "the fewest blank lines and lone brackets",
    balance: 2,
    score: (view) => ofShownLines(view, (text) => (isBare(text) ? -1 : 0)),
  },
  /** Number of different words of the review (parts of names, two characters or more) on the lines that it shows. */
  {
    name: "review_overlap",
    sees: "lexical",
    text: "the option whose code has most words of the review",
    balance: 3,
    score: reviewOverlap,
  },
  /** − lines from an edge of the hunk that hold the whole set; the nearer of its two edges. */
  {
    name: "densest_edge",
    sees: "options+code",
    text: "the lines that lie together nearest to an edge of the hunk",
    balance: 4,
    score: ({ locations, lines }) =>
      locations.map((location) => -Math.min(Math.max(...location), lines.length + 1 - Math.min(...location))),
  },
  /** Mean indentation of the lines that it shows, blank ones aside; a tab is four columns. */
  {
    name: "indentation",
    sees: "options+code",
    text: "the deepest indented lines",
    balance: 2,
    score: (view) => ofShownLines({ ...view, skipsBlank: true }, indentationOf),
  },
  /** Mean over the lines that it shows of the different words of the review on a line; names are split. */
  {
    name: "review_words_per_line",
    sees: "lexical",
    text: "the option whose lines have most words of the review each",
    balance: 4,
    score: reviewWordsPerLine,
  },
  /** Mean over the lines that it shows of the different names on a line that the review quotes, or that look like code. */
  {
    name: "names_quoted",
    sees: "lexical",
    text: "the option whose lines have most of the names that the review quotes",
    balance: 4,
    score: namesQuoted,
  },
];

/**
 * The numbers of the lines that a reader sees at a location: its own; for `add` the neighbours of each insertion point,
 * each once.
 * @returns without those outside the hunk
 */
export function shownNumbers(location: Location, { lines, changeType }: Pick<LocationView, "lines" | "changeType">) {
  const numbers = changeType === "add" ? new Set(location.flatMap((line) => [line, line + 1])) : new Set(location);
  return [...numbers].filter((number) => number >= 1 && number <= lines.length);
}

/** Text of the lines of `shownNumbers`. */
export function shownLines(location: Location, view: Pick<LocationView, "lines" | "changeType">): string[] {
  return shownNumbers(location, view).map((number) => view.lines[number - 1] ?? "");
}

/** Runs of consecutive numbers: {2, 3, 7} has two. Numbers in any order. */
export function runsOf(location: Location): number {
  const numbers = new Set(location);
  return [...numbers].filter((line) => !numbers.has(line - 1)).length;
}

/** Last number − first number. */
function spanOf(location: Location): number {
  return Math.max(...location) - Math.min(...location);
}

function nearness({ locations, lines, changeType }: LocationView): number[] {
  const middle = (changeType === "add" ? lines.length : lines.length + 1) / 2;
  return locations.map((location) => -Math.abs(mean([...location]) - middle));
}

function medoidThenRuns(locations: readonly Location[]): number[] {
  const medoid = setOverlaps(locations);
  const runs = locations.map(runsOf);
  const isBehind = (a: number, b: number) => {
    const difference = (medoid[b] ?? 0) - (medoid[a] ?? 0);
    return difference > 0 || (difference === 0 && (runs[b] ?? 0) < (runs[a] ?? 0));
  };
  return locations.map((_, i) => locations.filter((_, j) => isBehind(j, i)).length);
}

/** Mean of a measure over the lines that each option shows; 0 without such lines. */
function ofShownLines(
  view: LocationView & { readonly skipsBlank?: boolean },
  measure: (line: string) => number,
): number[] {
  return view.locations.map((location) => {
    const shown = shownLines(location, view).filter((line) => view.skipsBlank !== true || line.trim() !== "");
    return shown.length === 0 ? 0 : rounded(mean(shown.map(measure)));
  });
}

/** Columns of white space before a line. */
function indentationOf(line: string): number {
  return (/^\s*/u.exec(line)?.[0] ?? "").replaceAll("\t", "    ").length;
}

function reviewWordsPerLine(view: LocationView): number[] {
  const asked = new Set(partsOf(view.review).filter((part) => part.length > 1));
  return ofShownLines(view, (line) => new Set(partsOf(line).filter((part) => asked.has(part))).size);
}

/** Text between back quotes. */
const QUOTED = /`([^`\n]+)`/gu;
/** A word, and a bracket behind it. */
const CALLED = /([\p{L}_][\p{L}\p{N}_]*)(\(?)/gu;
/** An underscore, a digit or a capital within. */
const NAME_SIGN = /\p{L}[_\p{N}]|\p{Ll}\p{Lu}/u;

function namesQuoted(view: LocationView): number[] {
  const quoted = [...view.review.matchAll(QUOTED)].flatMap(([, code]) => [...wordsOf(code ?? "")]);
  const called = [...view.review.matchAll(CALLED)].flatMap(([, name = "", bracket]) =>
    bracket === "(" || NAME_SIGN.test(name) ? name.toLowerCase() : [],
  );
  const names = new Set([...quoted, ...called]);
  return ofShownLines(view, (line) => [...wordsOf(line)].filter((word) => names.has(word)).length);
}

function reviewOverlap(view: LocationView): number[] {
  const asked = [...new Set(partsOf(view.review))].filter((part) => part.length > 1);
  return view.locations.map((location) => {
    const parts = new Set(partsOf(shownLines(location, view).join("\n")));
    return asked.filter((part) => parts.has(part)).length;
  });
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[\p{L}_$][\p{L}\p{N}_$]+/gu));
}

/** Kind of a line of code at a glance, in any of the nine languages. */
export type LineKind = "blank" | "bracket" | "comment" | "declaration" | "statement";

const COMMENT =
  /^(\/\/|\/\*|\*(?![\w(])|#(?!(include|define|undef|ifn?def|if|else|elif|endif|pragma|error|\[)\b)|"""|'''|--\s|<!--)/;
const MODIFIERS =
  /^((public|private|protected|internal|static|export|default|async|abstract|final|virtual|override|inline|extern|pub|sealed|readonly|partial)\s+)*/;
const DECLARATION =
  /^(class|interface|struct|enum|trait|module|namespace|package|import|from|using|use|require|include|#include|#define|def|func|fn|function|type|template|typedef|const|let|var|val|impl|union)\b/;
const SIGNATURE =
  /^(?!(return|else|if|for|while|switch|catch|throw|new|await|yield|case|do|delete|elsif|unless)\b)[\w:<>,*&[\]\s~.?]+\s[\w:~*&]+\s*\([^;]*\)?[^;=]*\{?$/;

/**
 * Kind of a line by its look alone: no parse, for a hunk need not parse. `bracket`: nothing but brackets and punctuation, or a
 * lone `end` or `begin`; `declaration`: opens a name (a class, a function, an import, a variable by its keyword).
 */
export function kindOfLine(line: string): LineKind {
  const text = line.trim();
  if (text === "") return "blank";
  if (isBare(text)) return "bracket";
  if (COMMENT.test(text)) return "comment";
  const bare = text.replace(MODIFIERS, "");
  return DECLARATION.test(bare) || bare !== text || SIGNATURE.test(text) ? "declaration" : "statement";
}

/** A line that no review is about: blank, or without a word, or a lone word that closes or opens a block. */
export function isBare(line: string): boolean {
  return !/[\p{L}\p{N}]/u.test(line) || /^\s*(end|begin|fi|done)[\s;)}\]]*$/.test(line);
}
