import { z } from "zod";
import { modelUnavailable } from "../../base/errors.js";
import { symbolsFor, USUAL_OPTIONS } from "../../base/symbol.js";
import { errorOfContent } from "../http/request-error.js";
import type { PromptMode } from "../model.js";
import { isThinking, type Think } from "../requests.js";
import type { EncodePrompt, Transport } from "../server/server-channel.js";
import type { ReadJson } from "../server/server-reader.js";
import type { ThinkWay } from "../wire/ways.js";
import type { ServerApi } from "./dialect.js";
import { thinkFields } from "./letter-ways.js";

export type ServerKind = "llama.cpp" | "vllm" | "other";

/** Facts that a server tells of itself. */
export interface ServerFacts {
  readonly kind: ServerKind;
  /** Goes into the identity and `run.json`. */
  readonly report: Readonly<Record<string, string | number | null>>;
  /** Models it lists. */
  readonly models: readonly string[];
  /** llama.cpp: the template of chats; absent: not told. */
  readonly template?: string;
  /** vLLM: the ids of the tokens that are a letter or a space and a letter, and the letter. */
  readonly symbolTokens: ReadonlyMap<number, string>;
  /** Tokens of the context, where its list of models tells them; no part of the identity. */
  readonly contextSize?: number;
}

const modelList = z.looseObject({
  data: z.array(
    z.looseObject({ id: z.string(), owned_by: z.string().nullish(), max_model_len: z.number().int().nullish() }),
  ),
});
const llamaProps = z.looseObject({
  build_info: z.string().nullish(),
  model_path: z.string().nullish(),
  chat_template: z.string().nullish(),
  default_generation_settings: z.looseObject({ n_ctx: z.number().nullish() }),
});
const vllmVersion = z.looseObject({ version: z.string() });
const tokenIds = z.looseObject({ tokens: z.array(z.number().int()) });
const prompted = z.looseObject({ prompt: z.string() });
const NONE: ReadonlyMap<number, string> = new Map();

/**
 * Finds out what kind of server this is, from what it tells on its own pages.
 * @param optionCount the most options that a question will have
 */
export async function learnServer(
  read: ReadJson,
  model: string,
  optionCount: number = USUAL_OPTIONS,
): Promise<ServerFacts> {
  const listed = modelList.safeParse(await read("/v1/models")).data?.data ?? [];
  const models = listed.map(({ id }) => id);
  const owner = listed[0]?.owned_by ?? null;
  const length = listed.find(({ id }) => id === model)?.max_model_len ?? listed[0]?.max_model_len;
  const context = length == null ? {} : { contextSize: length };
  const props = llamaProps.safeParse(await read("/props")).data;
  if (props !== undefined) {
    const report = {
      kind: "llama.cpp",
      build: props.build_info ?? null,
      file: props.model_path?.split(/[\\/]/).at(-1) ?? null,
      context_size: props.default_generation_settings.n_ctx ?? null,
    };
    const template = props.chat_template == null ? {} : { template: props.chat_template };
    return { kind: "llama.cpp", report, models, symbolTokens: NONE, ...template };
  }
  const version = vllmVersion.safeParse(await read("/version")).data?.version;
  if (owner === "vllm" && version !== undefined) {
    const served = model === "auto" ? (models[0] ?? model) : model;
    const symbolTokens = await vllmSymbolTokens(read, served, symbolsFor(optionCount));
    return { kind: "vllm", report: { kind: "vllm", version }, models, symbolTokens, ...context };
  }
  return { kind: "other", report: { kind: "other", owner }, models, symbolTokens: NONE, ...context };
}

/**
 * Single tokens for `A`, ` A`, …; a spelling that takes several tokens is none. Tokenizers that put a space before every
 * text (SentencePiece) give the bare letter only within one: there it is what follows a new line, if it decodes to that.
 */
async function vllmSymbolTokens(
  read: ReadJson,
  model: string,
  letters: readonly string[],
): Promise<ReadonlyMap<number, string>> {
  const found = new Map<number, string>();
  const tokenize = async (prompt: string) =>
    tokenIds.safeParse(await read("/tokenize", { model, prompt, add_special_tokens: false })).data?.tokens ?? [];
  for (const letter of letters) {
    for (const prompt of [letter, ` ${letter}`]) {
      const [id, ...more] = await tokenize(prompt);
      if (id !== undefined && more.length === 0) found.set(id, letter);
    }
    const last = (await tokenize(`\n${letter}`)).at(-1);
    if (last === undefined || found.has(last)) continue;
    const { data } = prompted.safeParse(await read("/detokenize", { model, tokens: [last] }));
    if (data?.prompt.trim() === letter) found.set(last, letter);
  }
  return found;
}

/** Body of llama.cpp's `/tokenize` for raw text, whose special tokens are not read. */
function rawText(content: string) {
  return { content, add_special: true, parse_special: false };
}

/**
 * llama.cpp's server reads special tokens in the text of a prompt: a review that holds `<s>` would be another prompt
 * (measured: up to 13 nats). Its own tokenizer, told not to, gives the ids to send instead. Elsewhere text is sent.
 */
export function promptEncoder(
  { kind }: Pick<ServerFacts, "kind">,
  mode: PromptMode,
  transport: Transport,
): EncodePrompt {
  if (kind !== "llama.cpp" || mode === "chat") return (_, prompt) => Promise.resolve(prompt);
  return async (baseUrl, prompt, signal) => {
    const { json, text } = await transport(baseUrl, { path: "/tokenize", body: rawText(prompt) }, signal);
    const tokens = tokenIds.safeParse(json).data?.tokens ?? [];
    if (tokens.length === 0) throw errorOfContent("without token ids", text);
    return tokens;
  };
}

const counted = z.looseObject({ tokens: z.array(z.unknown()).nullish(), count: z.number().int().nullish() });

interface Counting {
  readonly model: string;
  readonly mode: PromptMode;
  /** Thoughts in a text that is continued; `null`: none. */
  readonly thinks: ThinkWay | null;
  /** Thoughts that are asked for where a prompt does not say. */
  readonly think?: Think | undefined;
}

/**
 * Counts a prompt's tokens by the server's own tokenizer, without asking the model: up to its thoughts, where it is to think.
 * `null` where it offers none.
 */
export function tokenCounter(
  read: ReadJson,
  { kind }: Pick<ServerFacts, "kind">,
  { model, mode, thinks, think: usual }: Counting,
): ServerApi["countTokens"] {
  if (kind === "other" && thinks === null) return null;
  return async (prompt, think) => {
    if (isThinking(think) && thinks !== null) {
      const { ThoughtText } = await import("../server/server-thoughts.js");
      const text = new ThoughtText(thinks, async ({ path, body }, schema) => schema.parse(await read(path, body)));
      return (await text.before(prompt, think)).length;
    }
    const chat = { messages: [{ role: "user", content: prompt }], ...thinkFields("template", think ?? usual) };
    const vllmBody = mode === "chat" ? { model, ...chat } : { model, prompt };
    const llamaBody = async () => (mode === "chat" ? renderedChat(read, chat) : rawText(prompt));
    const body = kind === "llama.cpp" ? await llamaBody() : vllmBody;
    const reply = counted.safeParse(await read("/tokenize", body)).data;
    const count = reply?.count ?? reply?.tokens?.length;
    if (count === undefined) throw modelUnavailable("Expected a token count from the server's /tokenize, found none.");
    return count;
  };
}

/** Body of llama.cpp's `/tokenize` for messages in the model's own template. */
async function renderedChat(read: ReadJson, chat: Readonly<Record<string, unknown>>) {
  const rendered = prompted.safeParse(await read("/apply-template", chat)).data?.prompt;
  if (rendered === undefined)
    throw modelUnavailable("Expected the chat template from the server's /apply-template, found none.");
  return { content: rendered, add_special: true, parse_special: true };
}
