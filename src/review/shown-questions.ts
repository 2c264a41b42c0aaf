import { z } from "zod";
import { isSystemError } from "../base/errors.js";
import { DIFFICULTIES, type Difficulty, type Example } from "../dataset/example.js";
import { readJsonLines } from "../dataset/json-lines.js";
import { formName } from "../question/form.js";
import type { QuestionReason } from "./decision.js";
import { emphasise } from "./diff-rows.js";
import type { ReviewOptions } from "./review-examples.js";
import type { ShownOption, ShownQuestion, ShownQuestions } from "./review-protocol.js";

/** A question as a model is asked it; the right option first. */
export interface AskedQuestion {
  readonly task: string;
  readonly title: string;
  readonly difficulty: Difficulty | null;
  readonly options: readonly string[];
}

/** The task whose distractors are infilled. */
const INFILLED = "SI";

/** The questions of an example, with what is known of how their distractors came to be. */
export function shownQuestions(
  options: ReviewOptions,
  questionsOf: (example: Example) => readonly AskedQuestion[],
  origin: DistractorOrigin | undefined,
  dropped: ReadonlyMap<string, QuestionReason>,
): ShownQuestions {
  if (options.status !== "ready") return options;
  const questions = questionsOf(options.example).map((question): ShownQuestion => {
    const form = formName(question);
    const made = question.task === INFILLED ? infilled(question, origin) : plain(question);
    return { ...question, ...made, form, dropped: dropped.get(form) ?? null };
  });
  return { status: "ready", questions, notBuilt: options.notBuilt };
}

function plain({ options }: AskedQuestion): Pick<ShownQuestion, "origin" | "options"> {
  return { origin: null, options: options.map((text) => ({ text, detail: null, emphasis: null })) };
}

/** Origin of an option, for who checks it. */
interface Made {
  readonly origin: string | null;
  /** By wrong option. */
  readonly details: readonly string[];
}

function madeOf(origin: DistractorOrigin | undefined, difficulty: Difficulty | null): Made {
  if (origin === undefined) return { origin: null, details: [] };
  if ("leaf" in origin) {
    const own = origin.distractors.filter((made) => made.difficulty === difficulty);
    return {
      origin: originText(origin),
      details: own.map(({ replacement, cosine }) => `${replacement} · cosine ${cosine.toFixed(4)}`),
    };
  }
  const square = origin.squares.find((each) => each.difficulty === difficulty);
  return square === undefined
    ? { origin: null, details: [] }
    : { origin: `a: ${missText(square.a)} · b: ${missText(square.b)}`, details: square.options };
}

/** Such as `operator, line 5: == → !=`. */
function missText({ kind, asked, edits }: z.infer<typeof nearMiss>): string {
  const parts = edits.map(
    ({ line, from, to }) => `line ${line}: ${from.trim() || "(nothing)"} → ${to.trim() || "(nothing)"}`,
  );
  return `${kind.replaceAll("_", " ")}${asked ? "" : " (beside what is asked)"}, ${parts.join("; ")}`;
}

/** The changed part is marked in every option. */
function infilled(
  { options, difficulty }: AskedQuestion,
  origin: DistractorOrigin | undefined,
): Pick<ShownQuestion, "origin" | "options"> {
  const [right = "", ...wrong] = options;
  const spans = wrong.map((text) => emphasise(right, text));
  const rightSpans = spans.flatMap(([span]) => (span === null ? [] : [span]));
  const made = madeOf(origin, difficulty);
  const first: ShownOption = { text: right, detail: null, emphasis: around(rightSpans) };
  const others = wrong.map((text, i): ShownOption => {
    return { text, detail: made.details[i] ?? null, emphasis: spans[i]?.[1] ?? null };
  });
  return { origin: made.origin, options: [first, ...others] };
}

function originText({ leaf, surprisalBits }: z.infer<typeof infilledOrigin>): string {
  return `Replaced: ${leaf.text} (${leaf.kind}, line ${leaf.line}, ${surprisalBits.toFixed(2)} bits)`;
}

/** From the first start to the last end. */
function around(spans: readonly (readonly [number, number])[]): readonly [number, number] | null {
  if (spans.length === 0) return null;
  return [Math.min(...spans.map(([start]) => start)), Math.max(...spans.map(([, end]) => end))];
}

const infilledOrigin = z.object({
  id: z.string(),
  leaf: z.object({ text: z.string(), kind: z.string(), line: z.number() }),
  surprisalBits: z.number(),
  distractors: z.array(z.object({ difficulty: z.enum(DIFFICULTIES), replacement: z.string(), cosine: z.number() })),
});

const nearMiss = z.object({
  kind: z.string(),
  asked: z.boolean(),
  edits: z.array(z.object({ line: z.number(), from: z.string(), to: z.string() })),
});

const squaresOrigin = z.object({
  id: z.string(),
  squares: z.array(
    z.object({ difficulty: z.enum(DIFFICULTIES), a: nearMiss, b: nearMiss, options: z.array(z.string()) }),
  ),
});

const origin = z.union([infilledOrigin, squaresOrigin]);

/** Origin of the SI distractors of an example: a line of the side file of `probe dataset build`. */
export type DistractorOrigin = z.infer<typeof origin>;

/** Origins that a side file tells, by example. */
interface DistractorOrigins {
  readonly byExample: ReadonlyMap<string, DistractorOrigin>;
  /** Lines that say nothing of the kind. */
  readonly unread: number;
}

/** The side file that `probe dataset build` writes beside its records. */
export function originsPath(records: string): string {
  return `${records.replace(/\.jsonl$/, "")}.distractors.jsonl`;
}

/** Reads a side file; empty where there is none. */
export async function readOrigins(path: string): Promise<DistractorOrigins> {
  const byExample = new Map<string, DistractorOrigin>();
  let unread = 0;
  try {
    for await (const line of readJsonLines(path)) {
      const parsed = line.status === "parsed" ? origin.safeParse(line.value).data : undefined;
      if (parsed === undefined) unread++;
      else byExample.set(parsed.id, parsed);
    }
  } catch (error) {
    if (!(error instanceof Error && isSystemError(error.cause, "ENOENT"))) throw error;
  }
  return { byExample, unread };
}
