import { z } from "zod";
import { openingOf, thoughtEnd } from "../llama/think-tokenizer.js";
import type { Think } from "../requests.js";
import type { ThinkWay, WireRequest } from "../wire/ways.js";

/** Asks a server and reads its reply by a schema. */
type Ask = <T>(request: WireRequest, schema: z.ZodType<T>) => Promise<T>;

/** Schema of token ids. */
export const tokenIds = z.array(z.number().int());
const idsReply = z.looseObject({ tokens: tokenIds });
const shown = z.string().optional();
/** A text; its name is another at each server. */
const textReply = z.looseObject({ prompt: shown, content: shown, text: shown });
const renderedReply = z.union([idsReply, textReply]);

type IdsReply = z.infer<typeof idsReply>;

/** Prompts and thoughts of a model behind a server as token ids, in its own template; nothing is generated for them. */
export class ThoughtText {
  readonly #thinks: ThinkWay;
  readonly #ask: Ask;

  constructor(thinks: ThinkWay, ask: Ask) {
    this.#thinks = thinks;
    this.#ask = ask;
  }

  /** Ids of a prompt up to the beginning of the thoughts. */
  async before(prompt: string, think: Think): Promise<readonly number[]> {
    const reply = await this.#ask(this.#thinks.render(prompt.toWellFormed(), think), renderedReply);
    if (!isIds(reply)) {
      const rendered = textOf(reply);
      return this.#ids(`${rendered}${openingOf(rendered, this.#thinks)}`, true);
    }
    const opening = openingOf(await this.of(reply.tokens), this.#thinks);
    return opening === "" ? reply.tokens : [...reply.tokens, ...(await this.behind(opening))];
  }

  /** Ids of the end of thoughts, up to the answer. */
  closing(thought: string): Promise<readonly number[]> {
    return this.behind(thoughtEnd(thought, this.#thinks));
  }

  /** Ids of a text behind another: a tokenizer may put a space before a text that stands alone. */
  async behind(text: string): Promise<readonly number[]> {
    const [alone, both] = [await this.#ids("a", false), await this.#ids(`a${text}`, false)];
    return alone.every((id, i) => both[i] === id) ? both.slice(alone.length) : this.#ids(text, false);
  }

  /** Text of ids. */
  async of(tokens: readonly number[]): Promise<string> {
    return textOf(await this.#ask(this.#thinks.detokenize(tokens), textReply));
  }

  async #ids(text: string, isWhole: boolean): Promise<readonly number[]> {
    return (await this.#ask(this.#thinks.tokenize(text, isWhole), idsReply)).tokens;
  }
}

function isIds(reply: z.infer<typeof renderedReply>): reply is IdsReply {
  return idsReply.safeParse(reply).success;
}

function textOf({ prompt, content, text }: z.infer<typeof textReply>): string {
  return prompt ?? content ?? text ?? "";
}
