import { randomBytes } from "node:crypto";
import type { LlamaModel, Token } from "node-llama-cpp";
import { ProbeError } from "../../base/errors.js";
import type { Message } from "../conversation.js";
import { ChatTemplate } from "./chat-template.js";
import { beginning } from "./tokenize.js";

interface Piece {
  readonly text: string;
  /** Whether it is the template's, not the conversation's. */
  readonly isOurs: boolean;
}

type Turn = { readonly role: string; readonly content: string };

const NAMES = { system: "System", user: "User", assistant: "Assistant", tool: "User" } as const;

/** How conversations become tokens: in the model's own template, or with the roles written out where it has none. */
export class TalkTemplate {
  readonly #model: LlamaModel;
  readonly #source: string | null;
  #template: ChatTemplate | null = null;

  /** @param source in place of the file's own; `undefined`: that */
  constructor(model: LlamaModel, source: string | undefined) {
    this.#model = model;
    this.#source = source ?? model.fileInfo.metadata.tokenizer?.chat_template ?? null;
  }

  /**
   * The conversation up to the beginning of the next reply: special tokens in the template's own text alone, never in what
   * is said.
   * @throws ProbeError `bad_input` when the template fails
   */
  async tokenize(messages: readonly Message[], signal: AbortSignal): Promise<Token[]> {
    const pieces = this.#source === null ? writtenOut(messages) : await this.#rendered(this.#source, messages, signal);
    const tokens = pieces.flatMap(({ text, isOurs }) => (text === "" ? [] : this.#model.tokenize(text, isOurs)));
    const before = beginning(this.#model);
    return tokens[0] === before[0] ? tokens : [...before, ...tokens];
  }

  async close(): Promise<void> {
    await this.#template?.close();
  }

  async #rendered(source: string, messages: readonly Message[], signal: AbortSignal): Promise<Piece[]> {
    this.#template ??= new ChatTemplate(source);
    const mark = randomBytes(6).toString("hex");
    const turns = messages.map(({ role }, i): Turn => ({ role, content: `${mark}-${i}-${mark}` }));
    const text = await this.#render(turns, signal).catch((error: unknown) => {
      if (!(error instanceof ProbeError)) throw error;
      // Templates without a role for the system: what it says opens the first message of the user.
      return this.#render(withoutSystem(turns), signal);
    });
    return text
      .split(new RegExp(`${mark}-(\\d+)-${mark}`))
      .map((part, i) =>
        i % 2 === 0 ? { text: part, isOurs: true } : { text: messages[Number(part)]?.content ?? "", isOurs: false },
      );
  }

  #render(messages: readonly Turn[], signal: AbortSignal): Promise<string> {
    const { bosString, eosString } = this.#model.tokens;
    const variables = { add_generation_prompt: true, bos_token: bosString ?? "", eos_token: eosString ?? "" };
    return this.#template?.render({ ...variables, messages }, signal) ?? Promise.resolve("");
  }
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
