import type { Language } from "../../base/language.js";
import { DIFFICULTIES, type Difficulty, type Example } from "../../dataset/example.js";
import { formName } from "../form.js";
import { loadProbes } from "../probes.js";
import { isChoiceForm, probeForms } from "../question-build.js";
import type { QuestionFloors } from "./floor-record.js";
import { type FormFloors, floorsOfForm, type GroupFloors, type RuledQuestion, summariseFloors } from "./floors.js";
import { keptOutShares } from "./kept-out-rules.js";
import { floorsOfExamples } from "./rules.js";

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
