import type { LlamaModel, Token } from "node-llama-cpp";
import { badInput } from "../../base/errors.js";
import type { LlamaSettings } from "../model-settings.js";
import type { Think } from "../requests.js";
import { KNOWN_MARKS, type ThinkMarks } from "../wire/ways.js";
import { ChatTemplate } from "./chat-template.js";
import { type ReplyLead, tokenizeRendered, withBos } from "./prompt-tokenizer.js";
import { tokenTextOf } from "./token-text.js";

type MarkSettings = Pick<LlamaSettings, "thinkOpen" | "thinkClose">;

/** Marks of thoughts: those of the settings, else those that the template speaks of; `null`: it speaks of none. */
export function marksOf(template: string, { thinkOpen, thinkClose }: MarkSettings): ThinkMarks | null {
  const found = KNOWN_MARKS.find(({ open, close }) => template.includes(close) || template.includes(open)) ?? null;
  const [open, close] = [thinkOpen ?? found?.open, thinkClose ?? found?.close];
  return open === undefined || close === undefined ? null : { open, close };
}

/** Turns prompts of a model that thinks into tokens, in the model's own template. */
export interface ThinkTokenizer {
  /** @throws ProbeError `bad_input` where the template knows no thoughts */
  marks(): ThinkMarks;
  /** Beginning of a reply: of thoughts, or with `off` of the answer behind thoughts that are empty. */
  lead(think: Think): ReplyLead;
  /** The prompt up to the beginning of the thoughts; with `off`, up to the answer, behind thoughts that are empty. */
  tokenize(prompt: string, think: Think, signal: AbortSignal): Promise<Token[]>;
  /**
   * End of thoughts, up to the answer.
   * @param thought text of the thoughts before it
   */
  closing(thought: string): Token[];
  close(): Promise<void>;
}

/** @throws ProbeError `bad_input` for a model without a template */
export function thinkTokenizer(model: LlamaModel, settings: LlamaSettings): ThinkTokenizer {
  const source = settings.chatTemplate ?? model.fileInfo.metadata.tokenizer?.chat_template;
  if (source === undefined) {
    throw badInput(
      "Expected a model with a chat template for --think, found none in its file. Leave --think out, or give one: " +
        "--model-arg chatTemplate=….",
    );
  }
  const template = new ChatTemplate(source, model.tokens);
  const text = tokenTextOf(model);
  const known = marksOf(source, settings);
  const marks = (): ThinkMarks => {
    if (known !== null) return known;
    throw badInput(
      `Expected a chat template with thoughts for --think (${KNOWN_MARKS.map(({ open }) => open).join(", ")}), found one ` +
        "without. Leave --think out, or say how its thoughts open and close: --model-arg thinkOpen=… --model-arg thinkClose=….",
    );
  };
  const lead = (think: Think): ReplyLead => {
    const isOn = think !== "off";
    const effort = typeof think === "string" && isOn ? { reasoning_effort: think } : {};
    return {
      variables: { enable_thinking: isOn, thinking: isOn, ...effort },
      textBehind: (rendered) => (isOn ? openingOf(rendered, marks()) : emptyThoughts(rendered, known)),
    };
  };
  return {
    marks,
    lead,
    async tokenize(prompt, think, signal) {
      const { variables, textBehind } = lead(think);
      const rendered = await template.render([{ role: "user", content: prompt }], signal, variables);
      return withBos(model, tokenizeRendered(model, text, `${rendered}${textBehind(rendered)}`, prompt));
    },
    closing: (thought) => model.tokenize(thoughtEnd(thought, marks()), true, "trimLeadingSpace"),
    close: () => template.close(),
  };
}

/** Text that opens thoughts behind a rendered prompt, which may have opened them already. */
export function openingOf(rendered: string, { open }: ThinkMarks): string {
  return rendered.trimEnd().endsWith(open) ? "" : `${open}\n`;
}

/** Text that makes the thoughts behind a rendered prompt empty, where its template can think and has not done so. */
export function emptyThoughts(rendered: string, marks: ThinkMarks | null): string {
  if (marks === null || rendered.trimEnd().endsWith(marks.close)) return "";
  const opened = `${rendered}${openingOf(rendered, marks)}`;
  const ends = /\n*$/.exec(opened)?.[0].length ?? 0;
  // An empty line between the marks, as models are trained with.
  return `${opened.slice(rendered.length)}${"\n".repeat(Math.max(0, 2 - ends))}${marks.close}\n\n`;
}

/** Text that closes thoughts behind the one before it. */
export function thoughtEnd(thought: string, { close }: Pick<ThinkMarks, "close">): string {
  return `${thought === "" || thought.endsWith("\n") ? "" : "\n"}${close}\n\n`;
}
