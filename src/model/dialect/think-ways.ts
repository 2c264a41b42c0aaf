import { z } from "zod";
import { marksOf } from "../llama/think-tokenizer.js";
import type { Think } from "../requests.js";
import type { ReadJson } from "../server/server-reader.js";
import { KNOWN_MARKS, type ThinkMarks, type ThinkWay, type WireRequest } from "../wire/ways.js";

/**
 * Thoughts at llama.cpp's server, in its model's own template; `null`: the template speaks of none. Special tokens are read
 * in the whole text, as the server does in chats.
 */
export function llamaThinkWay(template: string, contextSize: number | null): ThinkWay | null {
  const marks = marksOf(template, {});
  if (marks === null) return null;
  return {
    ...marks,
    contextSize,
    render: (prompt, think) => ({
      path: "/apply-template",
      body: {
        messages: [{ role: "user", content: prompt }],
        chat_template_kwargs: templateVariables(think),
      },
    }),
    tokenize: (content, isWhole) => ({
      path: "/tokenize",
      body: { content, add_special: isWhole, parse_special: true },
    }),
    detokenize: (tokens) => ({ path: "/detokenize", body: { tokens } }),
    generate: (prompt, most) => ({
      path: "/completion",
      body: {
        prompt,
        n_predict: most,
        temperature: 0,
        top_k: 0,
        samplers: ["top_k", "temperature"],
        mirostat: 0,
        stop: [marks.close],
        return_tokens: true,
        cache_prompt: false,
      },
    }),
  };
}

/** Variables by which templates of chats have thoughts, or none. */
function templateVariables(think: Think): Readonly<Record<string, unknown>> {
  const isOn = think !== "off";
  return {
    enable_thinking: isOn,
    thinking: isOn,
    ...(isOn && typeof think === "string" && { reasoning_effort: think }),
  };
}

const idsReply = z.looseObject({ tokens: z.array(z.number().int()) });
const textReply = z.looseObject({ prompt: z.string().nullish(), text: z.string().nullish() });

/** Model of a server, as its requests name it, and the tokens of its context; `null`: not told. */
interface ServedModel {
  readonly model: string;
  readonly contextSize: number | null;
}

/**
 * Thoughts at servers that render chats as token ids (`/tokenize` with messages) and continue these by completions: vLLM,
 * and SGLang. Not by `continue_final_message` of chats: templates such as Qwen3's leave the thoughts of the last message
 * out, or put empty ones before it (vLLM's issue 28089). `null`: the template is not rendered, or shows no thoughts.
 */
export async function completionsThinkWay(read: ReadJson, served: ServedModel): Promise<ThinkWay | null> {
  const { model, contextSize } = served;
  const requests = tokenRequests(model);
  const ask = ({ path, body }: WireRequest) => read(path, body);
  const texts: string[] = [];
  for (const think of ["off", { tokens: 1 }] as const) {
    const rendered = idsReply.safeParse(await ask(requests.render("a", think))).data;
    if (rendered === undefined) return null;
    const { prompt, text } = textReply.safeParse(await ask(requests.detokenize(rendered.tokens))).data ?? {};
    texts.push(prompt ?? text ?? "");
  }
  const isOneToken = async (mark: string) =>
    idsReply.safeParse(await ask(requests.tokenize(mark, false))).data?.tokens.length === 1;
  const marks = marksOf(texts.join("\n"), {}) ?? (await markedBy(isOneToken));
  if (marks === null) return null;
  return {
    ...marks,
    contextSize,
    ...requests,
    generate: (prompt, most) => ({
      path: "/completions",
      body: {
        model,
        prompt,
        max_tokens: most,
        temperature: 0,
        stop: [marks.close],
        // A mark may be a special token, which is no text otherwise.
        skip_special_tokens: false,
        // The model's own generation settings change even greedy text.
        repetition_penalty: 1,
        return_token_ids: true,
      },
    }),
  };
}

/** Marks that are a token each: templates that leave it to the model to open its thoughts show none. */
async function markedBy(isOneToken: (mark: string) => Promise<boolean>): Promise<ThinkMarks | null> {
  for (const marks of KNOWN_MARKS) {
    if ((await isOneToken(marks.open)) && (await isOneToken(marks.close))) return marks;
  }
  return null;
}

function tokenRequests(model: string): Pick<ThinkWay, "render" | "tokenize" | "detokenize"> {
  return {
    render: (content: string, think: Think) => ({
      path: "/tokenize",
      body: { model, messages: [{ role: "user", content }], chat_template_kwargs: templateVariables(think) },
    }),
    tokenize: (prompt, isWhole) => ({ path: "/tokenize", body: { model, prompt, add_special_tokens: isWhole } }),
    // vLLM keeps special tokens anyway.
    detokenize: (tokens) => ({ path: "/detokenize", body: { model, tokens, skip_special_tokens: false } }),
  };
}
