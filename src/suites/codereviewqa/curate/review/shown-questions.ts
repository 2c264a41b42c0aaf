import type { Example } from "../../example/example.js";
import type { DistractorOrigin } from "./distractor-origins.js";
import type { ReviewOptions } from "./examples.js";
import type { ShownQuestion, ShownQuestions } from "./protocol.js";

/** A question as a model is asked it; the right option first. */
export interface AskedQuestion {
  readonly task: string;
  readonly title: string;
  readonly difficulty: string | null;
  readonly options: readonly string[];
}

/** The task whose distractors are infilled. */
const INFILLED = "SI";

/** The questions of an example, with what is known of how their distractors came to be. */
export function shownQuestions(
  options: ReviewOptions,
  questionsOf: (example: Example) => readonly AskedQuestion[],
  origin: DistractorOrigin | undefined,
): ShownQuestions {
  if (options.status !== "ready") return options;
  const questions = questionsOf(options.example).map((question) =>
    question.task === INFILLED && origin !== undefined ? withOrigin(question, origin) : withoutOrigin(question),
  );
  return { status: "ready", questions, notBuilt: options.notBuilt };
}

function withoutOrigin({ options, ...question }: AskedQuestion): ShownQuestion {
  return { ...question, origin: null, options: options.map((text) => ({ text, detail: null })) };
}

function withOrigin(question: AskedQuestion, { leaf, surprisalBits, distractors }: DistractorOrigin): ShownQuestion {
  const ours = distractors.filter(({ difficulty }) => difficulty === question.difficulty);
  return {
    ...question,
    origin: `Replaced: ${leaf.text} (${leaf.kind}, line ${leaf.line}, ${surprisalBits.toFixed(2)} bits)`,
    options: question.options.map((text, i) => {
      const made = i === 0 ? undefined : ours[i - 1];
      return { text, detail: made === undefined ? null : `${made.replacement} · cosine ${made.cosine.toFixed(4)}` };
    }),
  };
}
