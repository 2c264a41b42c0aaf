import type { LlamaContextSequence, LlamaGrammar, Token } from "node-llama-cpp";
import type { Completion, CompletionRequest } from "../requests.js";
import { firstStop } from "../requests.js";
import { importEngine } from "./package/find.js";

type Generation = Pick<Completion, "text" | "end"> & { readonly tokens: number };

interface GenerationOptions extends Pick<CompletionRequest, "temperature" | "topK" | "seed" | "stop"> {
  readonly maxTokens: number;
  readonly textOf: (tokens: readonly Token[]) => string;
  /** Whether a token ends the text. */
  readonly isEnd: (token: Token) => boolean;
  /** What may be written; anything without it. */
  readonly grammar?: LlamaGrammar;
}

/** Seeds of the engine; the number that follows the last of them asks it for a random one. */
const SEEDS = 0xffff_ffff;

/** Continues what the sequence holds and the tokens to be evaluated after it, from the whole distribution or its top. */
export async function generate(
  sequence: LlamaContextSequence,
  tokens: Token[],
  options: GenerationOptions,
  signal: AbortSignal,
): Promise<Generation> {
  const generated: Token[] = [];
  if (options.maxTokens <= 0) return { text: "", tokens: 0, end: "length" };
  const sampling = { ...samplingOf(options), ...(await grammarState(sequence, options)) };
  for await (const token of sequence.evaluate(tokens, sampling)) {
    signal.throwIfAborted();
    generated.push(token);
    const text = options.textOf(generated);
    const cut = options.isEnd(token) ? null : firstStop(text, options.stop);
    if (cut === null) return { text, tokens: generated.length, end: "end_of_text" };
    if (cut !== -1) return { text: text.slice(0, cut), tokens: generated.length, end: "stop" };
    if (generated.length >= options.maxTokens)
      return { text: wholeCharacters(text), tokens: generated.length, end: "length" };
  }
  throw new Error("The engine stopped before the text ended.");
}

/** By its defaults the engine would draw from the 40 most probable tokens, and of these from those that make up 0.95. */
function samplingOf({ temperature, topK, seed }: GenerationOptions) {
  return {
    temperature,
    topK: topK ?? 0,
    topP: 1,
    minP: 0,
    seed: ((seed % SEEDS) + SEEDS) % SEEDS,
    yieldEogToken: true,
  };
}

/** Without a last character that the limit cut in two. */
function wholeCharacters(text: string): string {
  return text.replace(/\uFFFD{1,3}$/, "");
}

/** How far a text has got in its grammar: of one text alone. */
async function grammarState({ model }: LlamaContextSequence, { grammar }: GenerationOptions) {
  if (grammar === undefined) return {};
  const { LlamaGrammarEvaluationState } = await importEngine();
  return { grammarEvaluationState: new LlamaGrammarEvaluationState({ model, grammar }) };
}
