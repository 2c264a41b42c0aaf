import { type ChoiceSymbol, symbolsFor, USUAL_OPTIONS } from "../../base/symbol.js";
import type { PromptMode } from "../model.js";
import { isThinking, type Think } from "../requests.js";
import type { ThinkingStyle } from "../vendor/vendors.js";
import { RESPONSES, responsesRequest } from "../wire/responses-api.js";
import {
  type ExtractionWay,
  type Fields,
  generatedWay,
  listWay,
  type ThinkWay,
  type WirePrompt,
  type WireRequest,
} from "../wire/ways.js";
import { letterWays, thinkFields } from "./letter-ways.js";
import type { ServerFacts } from "./openai-server.js";

/** Tokens asked for where the server sets no limit of its own: enough for the letters, small enough to read fast. */
const LLAMA_CPP_LIST = 100;
/** The most that OpenAI's API reports; its legacy completions stop at 5. */
const LISTS = [20, 5] as const;

/** Facts that every way depends on. */
export interface WayOptions {
  readonly model: string;
  readonly mode: PromptMode;
  readonly server: ServerFacts;
  /** `--model-arg topLogprobs=N`: in place of the numbers above. */
  readonly topLogprobs: number | null;
  /** `true` where the Responses API may be the only one of a model. */
  readonly hasResponses: boolean;
  /** Thoughts in a text that is continued; `null`: none, or behind closed doors. */
  readonly thinks: ThinkWay | null;
  readonly style: ThinkingStyle;
  readonly think: Think | undefined;
}

/** The ways to an answer that this server may offer, best first (spec §4.2). */
export function symbolWays(options: WayOptions): ExtractionWay[] {
  const { thinks, server } = options;
  if (thinks !== null) {
    const ways = readWays({ ...options, mode: "completion" });
    const used = server.kind === "llama.cpp" ? ways.slice(0, 1) : ways;
    return used.map((way) => ({ ...way, name: `${way.name}, after thoughts`, thinks }));
  }
  return [
    // Who is to think is not asked for one token: it would be a letter without the thoughts.
    ...(isThinking(options.think)
      ? []
      : [...readWays(options), generatedWay((prompt) => oneToken(options, prompt, {}))]),
    ...(options.mode === "chat" ? letterWays({ ...options, chat: chatRequest }) : []),
    ...(options.mode === "chat" && options.hasResponses ? responsesWays(options) : []),
  ];
}

/** Ways that read the letter's log probabilities. */
function readWays(options: WayOptions): ExtractionWay[] {
  const { server, topLogprobs } = options;
  return [
    ...(server.symbolTokens.size > 0 ? [tokenIdWay(options)] : []),
    ...(server.kind === "llama.cpp" ? [grammarWay(options)] : []),
    ...(server.kind === "vllm" ? [guidedWay(options, "structured_outputs"), guidedWay(options, "guided_choice")] : []),
    ...(topLogprobs === null ? LISTS : [topLogprobs]).map((listLength) => plainWay(options, listLength)),
  ];
}

/** Written letters by the Responses API, for models that have no other. */
function responsesWays(options: WayOptions): ExtractionWay[] {
  const ways = letterWays({ ...options, chat: (body) => responsesRequest(chatRequest(body)) });
  return ways.map((way) => ({ ...way, name: `${way.name}, ${RESPONSES}` }));
}

function chatRequest(body: Fields): WireRequest {
  return { path: "/chat/completions", body };
}

/**
 * vLLM reports exactly the tokens it is asked for: the letters' own, whatever their rank. By their ids, because two of
 * them may decode to the same text, which has one place in a reply's map.
 */
function tokenIdWay(options: WayOptions): ExtractionWay {
  const tokens = [...options.server.symbolTokens];
  return {
    name: "logprob_token_ids",
    extraction: "full",
    isGuided: false,
    listLength: Number.POSITIVE_INFINITY,
    ...tokenNames(options),
    request: (prompt, symbols) => {
      const letters: readonly string[] = symbolsFor(Math.max(symbols.length, USUAL_OPTIONS));
      const ids = tokens.flatMap(([id, letter]) => (letters.includes(letter) ? [id] : []));
      const named = { logprob_token_ids: ids, return_tokens_as_token_ids: true };
      return oneToken(options, prompt, { ...logprobs(options, ids.length), ...named });
    },
  };
}

/** llama.cpp: its own endpoint (or chat), a grammar of the letters, probabilities from before sampling. */
function grammarWay(options: WayOptions): ExtractionWay {
  const listLength = options.topLogprobs ?? LLAMA_CPP_LIST;
  const isChat = options.mode === "chat";
  const common = (symbols: readonly ChoiceSymbol[]) => ({
    grammar: `root ::= [${symbols.join("")}]`,
    cache_prompt: false,
  });
  const own = { n_predict: 1, temperature: 0, n_probs: listLength, post_sampling_probs: false };
  return {
    name: isChat ? "chat completions with grammar" : "/completion with grammar",
    extraction: "guided",
    isGuided: true,
    listLength,
    request: (prompt, symbols) =>
      isChat
        ? oneToken(options, prompt, { ...logprobs(options, listLength), ...common(symbols) })
        : { path: "/completion", body: { prompt, ...own, ...common(symbols) } },
  };
}

/** vLLM's restriction to a choice: `structured_outputs` from 0.12 on, `guided_choice` before. */
function guidedWay(options: WayOptions, form: "structured_outputs" | "guided_choice"): ExtractionWay {
  const listLength = options.topLogprobs ?? LISTS[0];
  const restriction = (symbols: readonly ChoiceSymbol[]) =>
    form === "guided_choice" ? { guided_choice: symbols } : { structured_outputs: { choice: symbols } };
  return {
    name: form,
    extraction: "guided",
    isGuided: true,
    listLength,
    ...tokenNames(options),
    request: (prompt, symbols) =>
      oneToken(options, prompt, { ...logprobs(options, listLength), ...byId(options), ...restriction(symbols) }),
  };
}

function plainWay(options: WayOptions, listLength: number): ExtractionWay {
  const extra = options.server.kind === "llama.cpp" ? { cache_prompt: false } : {};
  const name = `${options.mode === "chat" ? "top_logprobs" : "logprobs"} ${listLength}`;
  const request = (prompt: WirePrompt) =>
    oneToken(options, prompt, { ...logprobs(options, listLength), ...byId(options), ...extra });
  return { ...listWay(name, listLength, request), ...tokenNames(options) };
}

/** vLLM names tokens by id where it is asked to: in a legacy map, two tokens with the same text have one place. */
function byId({ mode, server }: WayOptions): Fields {
  return mode === "completion" && server.symbolTokens.size > 0 ? { return_tokens_as_token_ids: true } : {};
}

/** Texts of tokens that are named by their ids. */
function tokenNames(options: WayOptions): Pick<ExtractionWay, "tokenTexts"> {
  return { tokenTexts: new Map([...options.server.symbolTokens].map(([id, letter]) => [`token_id:${id}`, letter])) };
}

function logprobs({ mode }: WayOptions, count: number): Fields {
  return mode === "chat" ? { logprobs: true, top_logprobs: count } : { logprobs: count };
}

function oneToken({ model, mode, style, think }: WayOptions, prompt: WirePrompt, more: Fields): WireRequest {
  // A model that can be asked not to think answers with its first token.
  const off = mode === "chat" && think === "off" ? thinkFields(style, think) : {};
  const common = { model, max_tokens: 1, temperature: 0, ...off, ...more };
  return mode === "chat"
    ? { path: "/chat/completions", body: { messages: [{ role: "user", content: prompt }], ...common } }
    : { path: "/completions", body: { prompt, ...common } };
}
