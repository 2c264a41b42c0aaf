import { z } from "zod";
import { symbolsFor } from "../base/symbol.js";
import { jsonValue, normaliseText } from "../base/text.js";
import { lineAround } from "./near-miss/left-out.js";
import type { Edit, NearMiss } from "./near-miss/near-miss.js";
import type { Revision } from "./near-miss/revision.js";
import { RevisionLines } from "./near-miss/revision-lines.js";
import { isIntroduced, isOnNew } from "./near-miss/slips.js";
import { lineNumberAt } from "./solution/masked-leaf.js";

/** Faults that a model is asked for: of two that exclude each other only one can be in a square. */
export const FAULTS = 8;

const code = z.string().transform(normaliseText);
const fault = z.object({ line: z.int().positive(), from: code, to: code });
type Fault = z.infer<typeof fault>;

/** A near miss as a prompt tells it: the lines that it is on, before and after. */
export function toldEdit(miss: NearMiss, { text }: Revision): string {
  return miss.edits
    .map(({ start, end, to }) => {
      const from = lineAround(text, start).start;
      const behind = lineAround(text, Math.max(start, end - 1)).end;
      const lines = text.slice(from, start) + to + text.slice(end, Math.max(end, behind));
      return `line ${lineNumberAt(text, start)}: ${JSON.stringify(text.slice(from, behind))} becomes ${JSON.stringify(lines)}`;
    })
    .join("; ");
}

/** A revision as a prompt shows it: line by line, its number, and + where it is new. */
export function numbered({ text, isNew }: Revision): string {
  const lines = text.split("\n");
  return lines.map((line, i) => `${i + 1} ${isNew[i] === true ? "+" : " "} ${line}`).join("\n");
}

/** Faults in a reply: JSON objects, one a line or in a list, within other text or without. */
export function faultsIn(reply: string): Fault[] {
  const list = reply.slice(reply.indexOf("["), reply.lastIndexOf("}") + 1);
  const lines = reply.split("\n").filter((line) => line.includes("{"));
  const texts = [`${list}]`, ...lines.map((line) => line.slice(line.indexOf("{"), line.lastIndexOf("}") + 1))];
  const found = texts.flatMap((text) => {
    const values = jsonValue(text);
    return (Array.isArray(values) ? values : [values]).flatMap((value: unknown) => fault.safeParse(value).data ?? []);
  });
  return [...new Map(found.map((each) => [JSON.stringify(each), each])).values()].slice(0, FAULTS);
}

/** Near misses that a reply has faults for which stand in the revision to the letter. */
export function missesIn(reply: string, revision: Revision): NearMiss[] {
  return faultsIn(reply).flatMap((each) => missOf(each, revision) ?? []);
}

/** @returns `null` where the fault does not stand in the revision, or stands on its line more than once */
function missOf({ line, from, to }: Fault, revision: Revision): NearMiss | null {
  const edit = editOf(line - 1, from, to, revision);
  if (edit === null) return null;
  const isAsked =
    isIntroduced(revision, edit) ||
    isOnNew(revision, edit) ||
    (edit.start > 0 && isOnNew(revision, { start: edit.start - 1 }));
  return { kind: "written", edits: [edit], isAsked, cost: 0 };
}

function editOf(line: number, from: string, to: string, revision: Revision): Edit | null {
  const lines = new RevisionLines(revision);
  const own = lines.texts[line];
  if (own === undefined || from === to) return null;
  if (from === "") return lines.before(line, to.replace(/\n$/, ""));
  if (to === "" && from.trim() === own.trim()) return lines.without(line);
  const start = lines.start(line);
  const behind = revision.text.slice(start);
  const at = behind.indexOf(from);
  if (at < 0 || at > own.length || own.indexOf(from, at + 1) >= 0) return null;
  return { start: start + at, end: start + at + from.length, to };
}

/** What a check says of a revision that it does not take for right. */
interface Verdict {
  /** Tells whether all that the review asks for is done. */
  readonly isBeside: boolean;
  /** How likely somebody is to hand it in: 5 (every day) to 1 (nobody would). */
  readonly likelihood: number;
}

/** What a reply to a check says of revisions, by their numbers; `null`: right. Lines that are something else say nothing. */
export function checkIn(reply: string): ReadonlyMap<number, Verdict | null> {
  const verdicts = reply.matchAll(
    /^[^\w\r\n\u2028\u2029]*(?:revision )?(\d+)\b[^\w\n]*(?:is )?(?:(right)\b|(beside|fault)\b[^\d\n]*([1-5])\b)/gim,
  );
  return new Map(
    Array.from(verdicts, ([, number, right, word, likelihood]) => [
      Number(number),
      right === undefined ? { isBeside: word?.toLowerCase() === "beside", likelihood: Number(likelihood) } : null,
    ]),
  );
}

/** Least likelihood of a near miss. */
const POSSIBLE = 2;
/** Costs of a likelihood. */
const COST_OF: Readonly<Record<number, number>> = { 5: 0, 4: 0.2, 3: 0.8, 2: 2 };
/** Cost of what is wrong beside what the review asks for: readers call it odd, or defend it, more often than what few would do. */
const COST_BESIDE = 2;

/** A near miss that is not right, and likely enough, at its cost; `null` one that is turned down, or of which nothing is said. */
export function heldAs(miss: NearMiss, verdict: Verdict | null | undefined): NearMiss | null {
  if (verdict == null || verdict.likelihood < POSSIBLE) return null;
  const { isBeside, likelihood } = verdict;
  const cost = (COST_OF[likelihood] ?? 0) + (isBeside ? COST_BESIDE : 0);
  return { ...miss, cost, isAsked: miss.isAsked && !isBeside };
}

/** Letters of a question's options. */
export const LETTERS = symbolsFor(4);

/** What is said of a question: each option's word, and one of `open` (one has to guess), `done` (by all options) and `clear`. */
export interface Answer {
  readonly words: readonly string[];
  readonly question: string;
}

/** The answer in a reply to a question; `null` where it says nothing of an option or of the question, or two things. */
export function answerIn(reply: string): Answer | null {
  const lines = reply.matchAll(
    /^[^\w\r\n\u2028\u2029]*(?:(?:option|revision) )?([A-D])\b[^\w\n]*(?:is )?(made|defensible|odd|wrong)\b/gim,
  );
  const said = Array.from(lines, ([, letter = "", word = ""]) => [letter.toUpperCase(), word.toLowerCase()] as const);
  const wordOf = new Map(said);
  const words = LETTERS.flatMap((letter) => wordOf.get(letter) ?? []);
  const isWhole = said.length === LETTERS.length && words.length === LETTERS.length;
  const [question, second] = Array.from(
    reply.matchAll(/^[^\w\r\n\u2028\u2029]*(?:(?:the )?question\b[^\w\n]*|it )?(?:is )?(open|done|clear)\b/gim),
    ([, word = ""]) => word.toLowerCase(),
  );
  return isWhole && question !== undefined && second === undefined ? { words, question } : null;
}
