import { readFile } from "node:fs/promises";
import { z } from "zod";
import { badInput, messageOf } from "../../base/errors.js";
import type { ChoiceSymbol, Logprob } from "../../base/symbol.js";
import { shorten, shortenLines } from "../../base/text.js";
import {
  type Completion,
  type CompletionKey,
  type CompletionReply,
  type CompletionRequest,
  firstStop,
  type RequestKey,
  type SymbolReply,
  type SymbolRequest,
  type SymbolScore,
} from "../requests.js";

/** A line that answers one order of a question; the answers of a run's own `answers.jsonl` have these fields too. */
const answerLine = z.object({
  task: z.string(),
  difficulty: z.string().nullish(),
  /** A line without it answers the whole question, of which nothing is withheld. */
  ablation: z.string().nullish(),
  example_id: z.string(),
  permutation: z.string(),
  /** The time that the order is asked (`--repeats`); a line without it is for the first. */
  repeat: z.int().nonnegative().nullish(),
  chosen_symbol: z.string().nullish(),
  logprobs: z.record(z.string(), z.number().nonpositive().nullable()).nullish(),
});

const example = { task: z.string(), example_id: z.string() };

/** A line that holds what is written for an example. */
const completionLine = z.object({ ...example, completion: z.string() });

/** A line of a run's own `generations.jsonl`. */
const generationLine = z.discriminatedUnion("status", [
  z.object({
    ...example,
    status: z.literal("generated"),
    generation: z.string(),
    end: z.enum(["stop", "length", "end_of_text"]),
    completion_tokens: z.int().nonnegative().nullish(),
  }),
  z.object({ ...example, status: z.literal("failed") }),
]);

type AnswerLine = z.infer<typeof answerLine>;

/** A text to be written, and how a run recorded that it ended. */
interface Writing {
  readonly text: string;
  readonly recorded: Pick<Completion, "end" | "tokens"> | null;
}

interface Answers {
  readonly symbols: Map<string, AnswerLine>;
  readonly writings: Map<string, Writing>;
}

/** @throws ProbeError `bad_input` when there is no such file */
export async function readAnswers(path: string): Promise<Buffer> {
  return readFile(path).catch((cause: unknown) => {
    throw badInput(`Expected an answer file at ${path}, found: ${shorten(messageOf(cause), 1000)}`, cause);
  });
}

/**
 * A script that answers from a JSONL file: by log probabilities where a line has them, else by the symbol it names; and
 * writes the completions of lines that have one. The journals of a run, `answers.jsonl` and `generations.jsonl`, are
 * such files, also one after the other in one file. What the file does not answer fails as `refused`.
 * @throws ProbeError `bad_input` naming the line
 */
export function answerScript(text: string, path: string): Script {
  const answers: Answers = { symbols: new Map(), writings: new Map() };
  for (const [i, line] of text.split("\n").entries()) {
    if (line.trim() !== "") addLine(answers, path, i + 1, line);
  }
  return scriptOf(answers);
}

function addLine(answers: Answers, path: string, number: number, line: string): void {
  readLine(line, `${path}:${number}`, EXPECTED, (value) => addValue(answers, value));
}

const EXPECTED =
  "task, difficulty, example_id, permutation and chosen_symbol or logprobs, or task, example_id and completion, or a " +
  "line of a run's journal";

/**
 * Reads a line of an answer file.
 * @throws ProbeError `bad_input` naming the place, where it is no JSON or `read` throws
 */
export function readLine<T>(line: string, place: string, expected: string, read: (value: unknown) => T): T {
  try {
    return read(JSON.parse(line));
  } catch (cause) {
    const found = cause instanceof z.ZodError ? z.prettifyError(cause) : messageOf(cause);
    const message = `${place}: expected ${expected}, found: ${shortenLines(found, 300)}`;
    throw badInput(message, cause);
  }
}

function addValue({ symbols, writings }: Answers, value: unknown): void {
  const isObject = typeof value === "object" && value !== null;
  const kind = isObject && "kind" in value ? value.kind : undefined;
  if (kind === "generation") {
    addGeneration(writings, generationLine.parse(value));
    return;
  }
  // Lines of other kinds, and the header of a journal, are none of a script's business.
  if ((kind !== undefined && kind !== "answer") || (isObject && "journal" in value)) return;
  if (isObject && "completion" in value) {
    const { task, example_id: exampleId, completion } = completionLine.parse(value);
    writings.set(exampleKey({ task, exampleId }), { text: completion, recorded: null });
    return;
  }
  const answer = answerLine.parse(value);
  symbols.set(orderKey({ ...answer, exampleId: answer.example_id }), answer);
}

/** The last line for an example counts; a failure is no text. */
function addGeneration(writings: Answers["writings"], line: z.infer<typeof generationLine>): void {
  const key = exampleKey({ task: line.task, exampleId: line.example_id });
  if (line.status === "failed") {
    writings.delete(key);
    return;
  }
  const { generation: text, end, completion_tokens: tokens = null } = line;
  writings.set(key, { text, recorded: { end, tokens } });
}

function scriptOf({ symbols, writings }: Answers): Script {
  return {
    // Asked more often than the file tells of, an order is answered as it was first.
    answer: ({ key, repeat = 0, symbols: letters }) => {
      const lineAt = (time: number) => symbols.get(orderKey({ ...key, repeat: time }));
      return replyFrom(lineAt(repeat) ?? lineAt(0), letters);
    },
    complete(request) {
      if (request.key === undefined) return noText("the prompt belongs to no example of the answer file");
      const writing = writings.get(exampleKey(request.key));
      return writing === undefined
        ? noText("the answer file has no completion for this example")
        : replay(writing, request);
    },
  };
}

/** Ends as it was recorded: cut off, for one. A stop text that was not one then ends it earlier. */
function replay({ text, recorded }: Writing, request: CompletionRequest): CompletionReply {
  const reply = written(text, request);
  return reply.status === "failed" || reply.end === "stop" || recorded === null ? reply : { ...reply, ...recorded };
}

type Order = Pick<RequestKey, "task" | "exampleId" | "permutation"> & {
  readonly difficulty?: string | null | undefined;
  readonly ablation?: string | null | undefined;
  readonly repeat?: number | null | undefined;
};

function orderKey(place: Order): string {
  return JSON.stringify([
    place.task,
    place.difficulty ?? "",
    place.ablation ?? "none",
    place.exampleId,
    place.permutation,
    place.repeat ?? 0,
  ]);
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

/** Answers without a model. */
export interface Script {
  readonly answer: (request: SymbolRequest) => SymbolReply;
  readonly complete: (request: CompletionRequest) => CompletionReply;
}

const NO_METER = { promptTokens: null, cachedTokens: null, durationMs: 0 };

/** The reply that names a symbol, without probabilities: a script has none. */
export function named(symbol: SymbolRequest["symbols"][number]): SymbolReply {
  return { status: "named", symbol, extraction: "scripted", ...NO_METER };
}

/** The reply of a script that has no answer. */
export function noAnswer(detail: string): SymbolReply {
  return { status: "failed", failure: "refused", detail, ...NO_METER };
}

/** The reply that writes a text, up to a stop text. A script has no tokens: it knows no `maxTokens`. */
export function written(text: string, { stop }: CompletionRequest): CompletionReply {
  const cut = firstStop(text, stop);
  const [kept, end] = cut === -1 ? [text, "end_of_text" as const] : [text.slice(0, cut), "stop" as const];
  return { status: "completed", text: kept, end, tokens: null, promptTokens: null, durationMs: 0 };
}

/** The reply of a script that has no text. */
export function noText(detail: string): CompletionReply {
  return { status: "failed", failure: "refused", detail };
}
