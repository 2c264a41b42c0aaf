import { countBy } from "../../base/grouping.js";
import type { Language } from "../../base/language.js";
import { DIFFICULTIES, type Difficulty, type Example } from "../../dataset/example.js";
import { formName } from "../form.js";
import { loadProbes } from "../probes.js";
import { isChoiceForm, probeForms } from "../question-build.js";
import type { QuestionFloors } from "./floor-record.js";
import { type FormFloors, floorsOfForm, type GroupFloors, type RuledQuestion, summariseFloors } from "./floors.js";
import { type LocationView, shownNumbers } from "./location-rules.js";
import { type Rule, type RuleSight, shareOfRight } from "./rule.js";
import { floorsOfExamples } from "./rules.js";
import { addedLines, type SolutionView, wordsOf } from "./solution-rules.js";

/**
 * Rules that no option is chosen by, and no verdict is measured against: they show what the selection of options leaves to
 * rules that nobody thought of. None reads the review.
 */
const LOCATIONS: readonly Rule<LocationView>[] = [
  byLines("most_names", (line) => new Set(wordsOf(line)).size),
  byLines("most_punctuation", (line) => shareOf(/[^\p{L}\p{N}_\s]/gu, line)),
  byLines("opens_a_block", (line) => Number(/[{:(]\s*$/.test(line))),
  byLines("rare_words", (line, { lines }) => {
    const counts = countBy(lines.flatMap((each) => [...new Set(wordsOf(each))]));
    return wordsOf(line).filter((word) => counts.get(word) === 1).length;
  }),
  byLines("beside_blank_lines", (_, { lines }, number) => {
    return Number(lines[number - 2]?.trim() === "") + Number(lines[number]?.trim() === "");
  }),
];

const SOLUTIONS: readonly Rule<SolutionView>[] = [
  bySolution("most_changed_lines", (text) => text.split("\n").length),
  bySolution("most_punctuation", (text) => shareOf(/[^\p{L}\p{N}_\s]/gu, text)),
  bySolution("most_different_words", (text) => new Set(wordsOf(addedLines(text))).size),
  bySolution("new_words", (text, { preReviewLines }) => {
    const known = new Set(wordsOf(preReviewLines.join("\n")));
    return new Set(wordsOf(addedLines(text)).filter((word) => !known.has(word))).size;
  }),
  bySolution("most_capitals", (text) => shareOf(/\p{Lu}/gu, text)),
];

/** Shares of the rules that are kept out, and what they see, on one question; `null` for a task that has none. */
export function keptOutShares(
  task: string,
  difficulty: Difficulty,
  example: Example,
): { readonly shares: Record<string, number>; readonly sees: Record<string, RuleSight> } | null {
  const { preReviewLines, review, changeType, location, solution } = example;
  const places = example.locationDistractors?.[difficulty];
  if (task === "CL" && places !== undefined) {
    return applied(LOCATIONS, { locations: [location, ...places], lines: preReviewLines, review, changeType });
  }
  const solutions = example.solutionDistractors?.[difficulty];
  if (task !== "SI" || solutions === undefined || solution === undefined) return null;
  return applied(SOLUTIONS, { solutions: [solution, ...solutions], preReviewLines, review });
}

function applied<View>(rules: readonly Rule<View>[], view: View) {
  return {
    shares: Object.fromEntries(rules.map(({ name, score }) => [name, shareOfRight(score(view))])),
    sees: Object.fromEntries(rules.map(({ name, sees }) => [name, sees])),
  };
}

/** Mean of a measure over the lines that an option shows; of a line its text and its number from 1. */
function byLines(
  name: string,
  measure: (line: string, view: LocationView, number: number) => number,
): Rule<LocationView> {
  const score = (view: LocationView) =>
    view.locations.map((location) => {
      const numbers = shownNumbers(location, view);
      const measures = numbers.map((number) => measure(view.lines[number - 1] ?? "", view, number));
      return measures.reduce((sum, each) => sum + each, 0) / Math.max(1, measures.length);
    });
  return { name, sees: "options+code", score };
}

function bySolution(name: string, measure: (solution: string, view: SolutionView) => number): Rule<SolutionView> {
  return { name, sees: "options+code", score: (view) => view.solutions.map((solution) => measure(solution, view)) };
}

/** Matches a character. */
function shareOf(pattern: RegExp, text: string): number {
  return (text.match(pattern)?.length ?? 0) / Math.max(1, text.length);
}

/** The floors of one group of a benchmark's questions. */
export interface Shortcuts {
  readonly task: string;
  readonly difficulty: Difficulty | null;
  /** 1/N: what guessing reaches in one order. */
  readonly chance: number;
  readonly floors: GroupFloors;
}

/** Clues of a benchmark's questions for those who do not read (spec §7, *Floors*). */
export interface ShortcutReport {
  /** Forms in the order of the probes, easy before hard; only those that have questions. */
  readonly forms: readonly Shortcuts[];
  /** Parts of a form in which more is given away than in the whole; a fitted rule of their own. */
  readonly parts: readonly (Shortcuts & { readonly part: string })[];
  /** Shortcuts by language, alphabetically within a form; the fitted rule is the form's. */
  readonly languages: readonly (Shortcuts & { readonly language: Language })[];
  /** Rules of CL and SI that no option was chosen by and no verdict is measured against. */
  readonly keptOut: readonly Shortcuts[];
}

/** A single line is hardly told from another; where there are several, their pattern is seen. */
const PART = {
  name: "2 lines or more",
  task: "CL",
  difficulty: "hard",
  holds: ({ location }: Example) => location.length >= 2,
} as const;

/** Applies the rules to every multiple-choice question about the examples. Memory: about a kilobyte a question. */
export async function measureShortcuts(examples: AsyncIterable<Example> | Iterable<Example>): Promise<ShortcutReport> {
  const forms = probeForms([...(await loadProbes()).values()], DIFFICULTIES).filter(isChoiceForm);
  const questions: QuestionFloors[] = [];
  const inPart = new Set<string>();
  const keptOut = new Map<string, RuledQuestion[]>();
  for await (const { floors, example } of floorsOfExamples(examples, forms)) {
    questions.push(floors);
    if (PART.holds(example)) inPart.add(example.id);
    const { task, difficulty } = floors;
    const kept = difficulty === null ? null : keptOutShares(task, difficulty, example);
    if (kept !== null)
      keptOut.set(formName(floors), [...(keptOut.get(formName(floors)) ?? []), { ...floors, ...kept }]);
  }
  const asked = forms.flatMap(({ probe, difficulty }) => {
    const own = questions.filter((question) => question.task === probe.task && question.difficulty === difficulty);
    return own.length === 0 ? [] : [{ ...placeOf(probe, difficulty), asked: own, form: floorsOfForm(own) }];
  });
  return {
    forms: asked.map(ofForm),
    parts: asked.flatMap((form) => ofPart(form, inPart)),
    languages: asked.flatMap(ofLanguages),
    keptOut: asked.flatMap(({ task, difficulty, chance }) => {
      const own = keptOut.get(formName({ task, difficulty }));
      return own === undefined
        ? []
        : { task, difficulty, chance, floors: summariseFloors({ questions: own, fitted: {} }) };
    }),
  };
}

type Place = Pick<Shortcuts, "task" | "difficulty" | "chance">;
type AskedForm = Place & { readonly asked: readonly QuestionFloors[]; readonly form: FormFloors };

function placeOf(
  { task, optionCount }: { readonly task: string; readonly optionCount: number },
  difficulty: Difficulty | null,
): Place {
  return { task, difficulty, chance: 1 / optionCount };
}

function ofForm({ form, asked: _, ...place }: AskedForm): Shortcuts {
  return { ...place, floors: summariseFloors(form) };
}

function ofPart({ form: _, asked, ...place }: AskedForm, exampleIds: ReadonlySet<string>): ShortcutReport["parts"] {
  if (place.task !== PART.task || place.difficulty !== PART.difficulty) return [];
  const own = asked.filter(({ exampleId }) => exampleIds.has(exampleId));
  return own.length === 0 ? [] : [{ ...place, floors: summariseFloors(floorsOfForm(own)), part: PART.name }];
}

function ofLanguages({ form, asked: _, ...place }: AskedForm): ShortcutReport["languages"] {
  return [...new Set(form.questions.map(({ language }) => language))].sort().map((language) => {
    const own = form.questions.filter((question) => question.language === language);
    return { ...place, language, floors: summariseFloors({ ...form, questions: own }) };
  });
}
