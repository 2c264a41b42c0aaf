import { randomBytes } from "node:crypto";
import type { LlamaModel, Token } from "node-llama-cpp";
import { badInput, ProbeError } from "../../base/errors.js";
import type { Message } from "../conversation.js";
import type { PromptMode } from "../model.js";
import { ChatTemplate, type Turn, type Variables } from "./chat-template.js";
import { type TokenText, tokenTextOf } from "./token-text.js";

/** Turns prompts into exactly the tokens the model sees. */
export interface PromptTokenizer {
  /** Prompts stand in the model's template. */
  readonly isTemplate: boolean;
  /** @throws ProbeError `bad_input` when the model's template fails on the prompt */
  tokenize(prompt: string, signal: AbortSignal): Promise<Token[]>;
  close(): Promise<void>;
}

/** Message that a template is tried with: no template is known that changes it. */
const TRIAL = "A or B?";

/**
 * Tokenizer for prompts of this model: BOS exactly once where the model uses one; in chat mode inside the model's
 * own template, which is tried here.
 * @throws ProbeError `bad_input` for chat mode on a model without a template, or with one that fails
 */
export async function promptTokenizer(
  model: LlamaModel,
  mode: PromptMode,
  chatTemplate: string | undefined,
  signal: AbortSignal,
): Promise<PromptTokenizer> {
  if (mode === "completion") {
    return {
      isTemplate: false,
      tokenize: (prompt) => Promise.resolve(withBos(model, model.tokenize(prompt))),
      close: () => Promise.resolve(),
    };
  }
  const source = chatTemplate ?? model.fileInfo.metadata.tokenizer?.chat_template;
  if (source === undefined) {
    throw badInput(
      "Expected a model with a chat template, found none in its file. Give one: --model-arg chatTemplate=…; or name a " +
        "model that has one, or --prompt-mode completion where the command knows it.",
    );
  }
  const template = new ChatTemplate(source, model.tokens);
  const text = tokenTextOf(model);
  const tokenizer: PromptTokenizer = {
    isTemplate: true,
    async tokenize(prompt, stop) {
      const rendered = await template.render([{ role: "user", content: prompt }], stop);
      return withBos(model, tokenizeRendered(model, text, rendered, prompt));
    },
    close: () => template.close(),
  };
  try {
    await tokenizer.tokenize(TRIAL, signal);
    return tokenizer;
  } catch (error) {
    await tokenizer.close();
    throw error;
  }
}

/**
 * Special tokens are read in the template's own text and never in the prompt's: a review that holds `<|im_end|>` ends
 * nothing. Plain text next to the prompt is tokenised together with it, as a server does.
 */
export function tokenizeRendered(model: LlamaModel, text: TokenText, rendered: string, prompt: string): Token[] {
  const content = rendered.includes(prompt) ? prompt : prompt.trim();
  const start = rendered.indexOf(content);
  if (start === -1) {
    throw badInput("Expected the chat template to show the message unchanged; it does not. Use completion.");
  }
  const before = splitAtSpecial(model, model.tokenize(rendered.slice(0, start), true), "last");
  const after = splitAtSpecial(model, model.tokenize(rendered.slice(start + content.length), true), "first");
  const plain = text.atStart(before.plain) + content + text.atStart(after.plain);
  return [...before.special, ...model.tokenize(plain), ...after.special];
}

/** The part up to the last special token (or from the first), and the plain tokens next to the prompt. */
function splitAtSpecial(
  model: LlamaModel,
  tokens: readonly Token[],
  side: "last" | "first",
): { special: Token[]; plain: Token[] } {
  const isSpecial = tokens.map((token) => model.isSpecialToken(token));
  const cut = side === "last" ? isSpecial.lastIndexOf(true) + 1 : isSpecial.indexOf(true);
  const at = cut === -1 ? tokens.length : cut;
  const [left, right] = [tokens.slice(0, at), tokens.slice(at)];
  return side === "last" ? { special: left, plain: right } : { special: right, plain: left };
}

/** Tokens that the model puts before every text: BOS, or none. */
export function beginning(model: LlamaModel): Token[] {
  const { bos, shouldPrependBosToken } = model.tokens;
  return shouldPrependBosToken && bos !== null ? [bos] : [];
}

/** The tokens behind BOS, once, where the model uses one. */
export function withBos(model: LlamaModel, tokens: Token[]): Token[] {
  const before = beginning(model);
  return tokens[0] === before[0] ? tokens : [...before, ...tokens];
}

interface Piece {
  readonly text: string;
  /** `true` for text of the template, not of the conversation. */
  readonly isOurs: boolean;
}

const NAMES = { system: "System", user: "User", assistant: "Assistant", tool: "User" } as const;

/** Beginning of a reply in the model's template, such as its thoughts. */
export interface ReplyLead {
  readonly variables: Variables;
  /** Text behind what the template makes. */
  textBehind(rendered: string): string;
}

/** Turns conversations into tokens. */
export interface TalkTokenizer {
  /**
   * The conversation up to the beginning of the next reply: special tokens in the template's own text alone, never in what
   * is said.
   * @throws ProbeError `bad_input` when the template fails
   */
  tokenize(messages: readonly Message[], signal: AbortSignal, lead?: ReplyLead): Promise<Token[]>;
  close(): Promise<void>;
}

/**
 * Tokenizer for conversations: in the model's own template, or with the roles written out where it has none.
 * @param chatTemplate in place of the file's own; `undefined`: that
 */
export function talkTokenizer(model: LlamaModel, chatTemplate: string | undefined): TalkTokenizer {
  const source = chatTemplate ?? model.fileInfo.metadata.tokenizer?.chat_template;
  let template: ChatTemplate | null = null;
  return {
    async tokenize(messages, signal, lead) {
      if (source !== undefined) template ??= new ChatTemplate(source, model.tokens);
      const pieces = template === null ? writtenOut(messages) : await rendered(template, messages, signal, lead);
      return withBos(
        model,
        pieces.flatMap(({ text, isOurs }) => (text === "" ? [] : model.tokenize(text, isOurs))),
      );
    },
    close: async () => template?.close(),
  };
}

async function rendered(
  template: ChatTemplate,
  messages: readonly Message[],
  signal: AbortSignal,
  lead: ReplyLead | undefined,
): Promise<Piece[]> {
  const mark = randomBytes(6).toString("hex");
  const turns = messages.map(({ role }, i): Turn => ({ role, content: `${mark}-${i}-${mark}` }));
  const text = await template.render(turns, signal, lead?.variables).catch((error: unknown) => {
    if (!(error instanceof ProbeError)) throw error;
    // Templates without a role for the system: its message opens the first message of the user.
    return template.render(withoutSystem(turns), signal, lead?.variables);
  });
  return `${text}${lead?.textBehind(text) ?? ""}`
    .split(new RegExp(`${mark}-(\\d+)-${mark}`))
    .map((part, i) =>
      i % 2 === 0 ? { text: part, isOurs: true } : { text: messages[Number(part)]?.content ?? "", isOurs: false },
    );
}

function writtenOut(messages: readonly Message[]): Piece[] {
  const said = messages.map(({ role, content }) => `${NAMES[role]}:\n${content ?? ""}\n\n`).join("");
  return [{ text: `${said}Assistant:\n`, isOurs: false }];
}

function withoutSystem(turns: readonly Turn[]): Turn[] {
  const [first, second, ...rest] = turns;
  if (first?.role !== "system") return [...turns];
  if (second?.role !== "user") return [{ role: "user", content: first.content }, ...turns.slice(1)];
  return [{ role: "user", content: `${first.content}\n\n${second.content}` }, ...rest];
}
