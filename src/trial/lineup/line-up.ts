import { randomInt } from "node:crypto";
import { join } from "node:path";
import type { DrawInteger } from "../../base/random.js";
import { counted } from "../../base/text.js";
import { sealedText } from "../../workspace/sealed-files.js";
import type { Bench, CodeText } from "../bench-task.js";
import { canBeAsked, drawSheet, type LineUpQuestion, type Sheet } from "./draw-sheet.js";

/** The file that tests write to. */
const ANSWERS = "answers";

/** Tests that passed, to be asked once more. */
export interface LineUpSetting {
  /** Files of the tests, as they are. */
  readonly tests: readonly CodeText[];
  /** Name that no other reference has: task, cage. */
  readonly reference: string;
  /**
   * Runs the tests with other files in their place, on a fresh tree.
   * @param writes a folder that they may write to, besides
   */
  readonly run: (code: "reference" | "submitted", files: readonly CodeText[], writes: string) => Promise<unknown>;
}

/** Result of a line-up. */
export interface LineUp {
  /** Expectations asked: those that hold on the reference, each among copies that do not; ends of tests do not count. */
  readonly asked: number;
  /** Tests of which something was not seen to hold. */
  readonly unseen: readonly string[];
  /** Tests of which a copy held that was turned: what judges them was tampered with. */
  readonly turned: readonly string[];
}

/** Tests if a pass stands: all was seen to hold, and nothing that was turned. */
export function stands({ unseen, turned }: LineUp): boolean {
  return unseen.length === 0 && turned.length === 0;
}

/** Why a pass that does not stand is none, in words. */
export function lineUpText({ unseen, turned }: LineUp): string {
  const named = (tests: readonly string[]) => `${tests.slice(0, 3).join("; ")}${tests.length > 3 ? "; …" : ""}`;
  if (turned.length > 0)
    return `expectations that were turned held, in ${counted(turned.length, "tests")}: ${named(turned)}`;
  return `not seen to hold, in ${counted(unseen.length, "tests")}: ${named(unseen)}`;
}

/** Count of each expectation on code that passes; without those that do not tell right from turned there. */
type Expected = ReadonlyMap<number, number>;

const onReference = new Map<string, Promise<Expected>>();

/**
 * Runs tests that passed once more, each of their expectations among turned copies. Only this process knows which copy is
 * right: what runs beside the code under test, or in its cage, has nothing to read it from, and answers right only where the
 * code is.
 */
export async function lineUp({ tests, reference, run }: LineUpSetting, bench: Bench): Promise<LineUp> {
  const asked = tests.filter(canBeAsked);
  const ask = async (code: "reference" | "submitted", draw: DrawInteger) => {
    const folder = await bench.folder();
    const sheet = await drawSheet(asked, join(folder, ANSWERS), draw);
    if (sheet.questions.length > 0) await run(code, sheet.files, folder);
    return { sheet, answers: parseAnswers((await sealedText(folder, ANSWERS)) ?? "") };
  };
  const expected = await expectedOn(reference, async () => {
    const { sheet, answers } = await ask("reference", randomInteger);
    return expectedFrom(sheet, answers);
  });
  const tape = recorded();
  const submitted = await ask("submitted", tape.draw);
  const found = judgeAnswers(submitted.sheet.questions, submitted.answers, expected);
  if (stands(found)) return found;
  // A turned copy may by chance say the same, as where two changes cancel out: one that misleads there too is not
  // counted. One of which nothing is said there, as for want of time, is.
  const again = await ask("reference", tape.replay());
  const misleading = new Set(
    again.sheet.questions.flatMap(({ number, right }) =>
      (again.answers.get(number) ?? []).some((answer) => answer !== right) ? number : [],
    ),
  );
  const counted = new Map([...expected].filter(([number]) => !misleading.has(number)));
  return judgeAnswers(submitted.sheet.questions, submitted.answers, counted);
}

async function expectedOn(reference: string, find: () => Promise<Expected>): Promise<Expected> {
  const known = onReference.get(reference) ?? find();
  onReference.set(reference, known);
  try {
    const expected = await known;
    // Nothing was seen, perhaps for want of time: looked for again at the next trial.
    if (expected.size === 0) onReference.delete(reference);
    return expected;
  } catch (error) {
    onReference.delete(reference);
    throw error;
  }
}

const randomInteger: DrawInteger = (low, high) => randomInt(low, high + 1);

/** Draws that nobody can foretell, and the same once more. */
function recorded(): { readonly draw: DrawInteger; readonly replay: () => DrawInteger } {
  const drawn: number[] = [];
  return {
    draw: (low, high) => {
      const value = randomInteger(low, high);
      drawn.push(value);
      return value;
    },
    replay: () => {
      let at = 0;
      return (low) => drawn[at++] ?? low;
    },
  };
}

/** Answers by the number of their question, as often as they were given. */
type Answers = ReadonlyMap<number, readonly string[]>;

function expectedFrom({ questions }: Sheet, answers: Answers): Expected {
  const clear = questions.flatMap(({ number, right }) => {
    const given = answers.get(number) ?? [];
    return given.length > 0 && given.every((answer) => answer === right) ? [[number, given.length] as const] : [];
  });
  return new Map(clear);
}

/** @param expected numbers of the questions that count, and how often each is to be met at least */
export function judgeAnswers(questions: readonly LineUpQuestion[], answers: Answers, expected: Expected): LineUp {
  const unseen = new Set<string>();
  const turned = new Set<string>();
  let asked = 0;
  for (const { number, right, path, test, isLater } of questions) {
    const times = expected.get(number);
    if (times === undefined) continue;
    // One digit is an end that was reached: no copy of it is turned.
    if (right.length > 1) asked++;
    const given = answers.get(number) ?? [];
    const name = `${path}: ${test}`;
    if (given.some((answer) => isTurned(answer, right))) turned.add(name);
    if (given.length < times || given.some((answer) => answer !== right && !(isLater && isNone(answer))))
      unseen.add(name);
  }
  return { asked, unseen: [...unseen], turned: [...turned] };
}

function isNone(answer: string): boolean {
  return !answer.includes("1");
}

/** Tests if a copy held that is not right. */
function isTurned(answer: string, right: string): boolean {
  return answer.length !== right.length || [...right].some((digit, i) => digit === "0" && answer[i] === "1");
}

/** Lines of a number and digits; others are nobody's answers. */
export function parseAnswers(text: string): Answers {
  const answers = new Map<number, string[]>();
  for (const [, number = "", digits = ""] of text.matchAll(/^(\d{1,6}) ([01]{1,8})$/gm)) {
    const given = answers.get(Number(number)) ?? [];
    given.push(digits);
    answers.set(Number(number), given);
  }
  return answers;
}
