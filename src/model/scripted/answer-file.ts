import { readFile } from "node:fs/promises";
import { z } from "zod";
import { messageOf, ProbeError } from "../../domain/errors.js";
import type { ChoiceSymbol, Logprob } from "../../domain/symbol.js";
import { printable } from "../../domain/text.js";
import type { CompletionKey, RequestKey, SymbolReply, SymbolScore } from "../model.js";
import { named, noAnswer, noText, type Script, written } from "./script.js";

/** A line that answers one order of a question; the answers of a run's own `answers.jsonl` have these fields too. */
const answerLine = z.object({
  task: z.string(),
  difficulty: z.string().nullish(),
  example_id: z.string(),
  permutation: z.string(),
  chosen_symbol: z.string().nullish(),
  logprobs: z.record(z.string(), z.number().nonpositive().nullable()).nullish(),
});

/** A line that holds what is written for an example. */
const completionLine = z.object({ task: z.string(), example_id: z.string(), completion: z.string() });

type AnswerLine = z.infer<typeof answerLine>;

interface Answers {
  readonly symbols: Map<string, AnswerLine>;
  readonly completions: Map<string, string>;
}

/**
 * A script that answers from a JSONL file: by log probabilities where a line has them, else by the symbol it names; and
 * writes the completions of lines that have one. What the file does not answer fails as `refused`.
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
  const answers: Answers = { symbols: new Map(), completions: new Map() };
  for (const [i, line] of bytes.toString("utf8").split("\n").entries()) {
    if (line.trim() !== "") addLine(answers, path, i + 1, line);
  }
  return { bytes, script: scriptOf(answers) };
}

function addLine({ symbols, completions }: Answers, path: string, number: number, line: string): void {
  try {
    const value: unknown = JSON.parse(line);
    const isObject = typeof value === "object" && value !== null;
    // A run's journal opens with a line that is not an answer.
    if (isObject && "kind" in value && value.kind !== "answer") return;
    if (isObject && "completion" in value) {
      const { task, example_id: exampleId, completion } = completionLine.parse(value);
      completions.set(exampleKey({ task, exampleId }), completion);
    } else {
      const answer = answerLine.parse(value);
      symbols.set(orderKey({ ...answer, exampleId: answer.example_id }), answer);
    }
  } catch (cause) {
    const found = cause instanceof z.ZodError ? z.prettifyError(cause) : messageOf(cause);
    throw new ProbeError(
      "bad_input",
      `${printable(path, 1000)}:${number}: expected task, difficulty, example_id, permutation and chosen_symbol or logprobs, ` +
        `or task, example_id and completion, found: ${found}`,
      { cause },
    );
  }
}

function scriptOf({ symbols, completions }: Answers): Script {
  return {
    answer: (request) => replyFrom(symbols.get(orderKey(request.key)), request.symbols),
    complete(request) {
      if (request.key === undefined) return noText("the prompt belongs to no example of the answer file");
      const text = completions.get(exampleKey(request.key));
      return text === undefined ? noText("the answer file has no completion for this example") : written(text, request);
    },
  };
}

type Order = Pick<RequestKey, "task" | "exampleId" | "permutation"> & {
  readonly difficulty?: string | null | undefined;
};

function orderKey(place: Order): string {
  return JSON.stringify([place.task, place.difficulty ?? "", place.exampleId, place.permutation]);
}

function exampleKey({ task, exampleId }: Pick<CompletionKey, "task" | "exampleId">): string {
  return JSON.stringify([task, exampleId]);
}

function replyFrom(answer: AnswerLine | undefined, symbols: readonly ChoiceSymbol[]): SymbolReply {
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
