import { readFile } from "node:fs/promises";
import { z } from "zod";
import { messageOf, ProbeError } from "../../domain/errors.js";
import type { ChoiceSymbol, Logprob } from "../../domain/symbol.js";
import { printable } from "../../domain/text.js";
import type { RequestKey, SymbolScore } from "../model.js";
import { named, noAnswer, type Script } from "./script.js";

/** A line of an answer file; the answers of a run's own `answers.jsonl` have these fields too. */
const answerLine = z.object({
  task: z.string(),
  difficulty: z.string().nullish(),
  example_id: z.string(),
  permutation: z.string(),
  chosen_symbol: z.string().nullish(),
  logprobs: z.record(z.string(), z.number().nonpositive().nullable()).nullish(),
});

type AnswerLine = z.infer<typeof answerLine>;

/**
 * A script that answers from a JSONL file: by log probabilities where a line has them, else by the symbol it names. A
 * question that the file does not answer fails as `refused`.
 * @throws ProbeError `bad_input` naming the line
 */
export async function readAnswerFile(path: string): Promise<{ script: Script; bytes: Buffer }> {
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw new ProbeError(
      "bad_input",
      `Expected an answer file at ${printable(path, 1000)}, found: ${messageOf(cause)}`,
      { cause },
    );
  });
  const answers = new Map<string, AnswerLine>();
  for (const [i, line] of bytes.toString("utf8").split("\n").entries()) {
    if (line.trim() === "") continue;
    const answer = parseLine(path, i + 1, line);
    if (answer !== undefined) answers.set(keyOf({ ...answer, exampleId: answer.example_id }), answer);
  }
  return { bytes, script: (request) => replyFrom(answers.get(keyOf(request.key)), request.symbols) };
}

function parseLine(path: string, number: number, line: string): AnswerLine | undefined {
  try {
    const value: unknown = JSON.parse(line);
    // A run's journal opens with a line that is not an answer.
    if (typeof value === "object" && value !== null && "kind" in value && value.kind !== "answer") return undefined;
    return answerLine.parse(value);
  } catch (cause) {
    const found = cause instanceof z.ZodError ? z.prettifyError(cause) : messageOf(cause);
    throw new ProbeError(
      "bad_input",
      `${printable(path, 1000)}:${number}: expected task, difficulty, example_id, permutation and chosen_symbol or logprobs, found: ${found}`,
      { cause },
    );
  }
}

type Place = Pick<RequestKey, "task" | "exampleId" | "permutation"> & {
  readonly difficulty?: string | null | undefined;
};

function keyOf(place: Place): string {
  return JSON.stringify([place.task, place.difficulty ?? "", place.exampleId, place.permutation]);
}

function replyFrom(answer: AnswerLine | undefined, symbols: readonly ChoiceSymbol[]): ReturnType<Script> {
  if (answer === undefined) return noAnswer("the answer file has no line for this order");
  const logprobs = answer.logprobs ?? {};
  if (Object.keys(logprobs).length > 0) {
    const scores = new Map(symbols.map((symbol) => [symbol, scoreOf(logprobs[symbol])]));
    return { status: "scored", scores, extraction: "scripted", promptTokens: null, cachedTokens: null, durationMs: 0 };
  }
  const symbol = symbols.find((candidate) => candidate === answer.chosen_symbol);
  return symbol === undefined ? noAnswer("the answer file names no symbol for this order") : named(symbol);
}

function scoreOf(logprob: number | null | undefined): SymbolScore {
  return logprob == null ? { status: "unknown", upperBound: null } : { status: "known", logprob: logprob as Logprob };
}
