import { z } from "zod";
import { KeptOnce } from "../../base/grouping.js";
import { LANGUAGES, type Language } from "../../base/language.js";
import { DIFFICULTIES, type Difficulty } from "../../dataset/example.js";
import { RULE_SIGHTS, type RuleSight } from "./rule.js";

/** Results of the rules on one question: all that floors need of it. A few hundred bytes. */
export interface QuestionFloors {
  readonly task: string;
  readonly difficulty: Difficulty | null;
  readonly exampleId: string;
  /** The task that the example is a hunk of; absent: it is a cluster of its own. */
  readonly cluster?: string;
  readonly language: Language;
  /** Class of the right answer, whose commonest value `majority` gives; `null` where answers have no classes. */
  readonly answerClass: string | null;
  /** Probability that the rule picks the right option, by rule, in the rules' order: 0, 1, or 1/k where k options tie. */
  readonly shares: Readonly<Record<string, number>>;
  /** Sight of each of these rules. */
  readonly sees: Readonly<Record<string, RuleSight>>;
  /**
   * Scores of the rules, an option each, standardised within the question; option 0 is the right one. Further ones, which
   * are no rules, say what an answer is, such as `is_modify`. Runs of earlier versions have no-read rules alone.
   */
  readonly scores: Readonly<Record<string, readonly number[]>>;
}

/** File of a run's floors: one JSON object a question, in the order of the questions. */
export const FLOORS_FILE = "floors.jsonl";

const record = z.strictObject({
  task: z.string(),
  difficulty: z.enum(DIFFICULTIES).nullable(),
  example_id: z.string(),
  cluster: z.string().optional(),
  language: z.enum(LANGUAGES),
  answer_class: z.string().nullable(),
  shares: z.record(z.string(), z.number().min(0).max(1)),
  sees: z.record(z.string(), z.enum(RULE_SIGHTS)),
  scores: z.record(z.string(), z.array(z.number())),
});

/** The rules of a form see the same in every question. */
const SIGHTS = new KeptOnce<QuestionFloors["sees"]>(1000);

/** One line of `floors.jsonl`, without its line end. Numbers keep every digit. */
export function floorLine({ exampleId, cluster, answerClass, ...rest }: QuestionFloors): string {
  const { task, difficulty, language, shares, sees, scores } = rest;
  const line: z.input<typeof record> = {
    task,
    difficulty,
    example_id: exampleId,
    ...(cluster !== undefined && { cluster }),
    language,
    answer_class: answerClass,
    shares: { ...shares },
    sees: { ...sees },
    scores: Object.fromEntries(Object.entries(scores).map(([rule, ofOptions]) => [rule, [...ofOptions]])),
  };
  return JSON.stringify(line);
}

/** @returns `null` for anything else than a line of `floorLine` */
export function parseFloorLine(line: string): QuestionFloors | null {
  const parsed = record.safeParse(parseJson(line));
  if (!parsed.success) return null;
  const { task, difficulty, example_id: exampleId, language, answer_class: answerClass, ...rest } = parsed.data;
  const { cluster, shares, scores } = rest;
  return {
    task,
    difficulty,
    exampleId,
    ...(cluster !== undefined && { cluster }),
    language,
    answerClass,
    shares,
    sees: SIGHTS.of(JSON.stringify(rest.sees), rest.sees),
    scores,
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
