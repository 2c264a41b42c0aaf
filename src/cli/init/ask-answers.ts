import { ProbeError } from "../../base/errors.js";
import type { Console } from "../../console/console.js";
import { flagOf } from "../../console/option.js";
import { INIT_ANSWERS, type InitAnswers } from "./init-options.js";
import { modelPart } from "./model-part.js";
import { reviewsPart } from "./reviews-part.js";

type AskLine = NonNullable<Console["ask"]>;

/** A question of the dialogue. */
interface Question {
  readonly name: keyof InitAnswers;
  /** Its words; `null`: it does not arise. */
  readonly words: (known: InitAnswers) => string | null;
  /** @throws ProbeError `bad_input` where the answer, with those before it, means nothing */
  readonly check?: (known: InitAnswers, workingDirectory: string) => Promise<unknown>;
}

const isServer = ({ baseUrl }: InitAnswers) => baseUrl.length > 0;

const QUESTIONS: readonly Question[] = [
  {
    name: "baseUrl",
    words: ({ model }) => (model === null ? "Address of a server, such as http://127.0.0.1:8000/v1 [none]: " : null),
    check: modelPart,
  },
  {
    name: "model",
    words: (known) =>
      isServer(known) ? "Its model, provider:name [openai:auto]: " : "Model, an alias or a .gguf file [tiny]: ",
    check: modelPart,
  },
  {
    name: "apiKeyEnv",
    words: (known) => (isServer(known) ? "Name of the variable that holds its key [none]: " : null),
    check: modelPart,
  },
  {
    name: "reviews",
    words: () => "Reviews, a file or github:OWNER/REPO [the starter set]: ",
    check: ({ reviews }) => reviewsPart(reviews),
  },
  { name: "ci", words: () => "CI job for github or gitlab [none]: " },
  { name: "failUnder", words: () => "Lowest score that passes, such as CL=0.5 [none]: " },
];

/**
 * Answers of a person at the terminal to what no option names; each question comes again until its answer can be read.
 * `null`: the person left.
 */
export async function askAnswers(given: InitAnswers, ask: AskLine, console: Console): Promise<InitAnswers | null> {
  let known = given;
  for (const question of QUESTIONS) {
    const words = isOpen(known[question.name]) ? question.words(known) : null;
    if (words === null) continue;
    const answered = await answerTo(question, words, known, ask, console);
    if (answered === null) return null;
    known = answered;
  }
  return known;
}

function isOpen(value: InitAnswers[keyof InitAnswers]): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

async function answerTo(
  { name, check }: Question,
  words: string,
  known: InitAnswers,
  ask: AskLine,
  { err, workingDirectory }: Console,
): Promise<InitAnswers | null> {
  for (;;) {
    const line = await ask(words);
    if (line === null) return null;
    const text = line.trim();
    if (text === "") return known;
    try {
      const answered = { ...known, [name]: INIT_ANSWERS[name].parse(text, flagOf(name)) };
      await check?.(answered, workingDirectory);
      return answered;
    } catch (error) {
      if (!(error instanceof ProbeError)) throw error;
      err(`${error.message}\n`);
    }
  }
}
