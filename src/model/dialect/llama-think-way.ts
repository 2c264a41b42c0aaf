import { marksOf } from "../llama/think-tokenizer.js";
import type { Think } from "../requests.js";
import type { ThinkWay } from "../wire/ways.js";

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
export function templateVariables(think: Think): Readonly<Record<string, unknown>> {
  const isOn = think !== "off";
  return {
    enable_thinking: isOn,
    thinking: isOn,
    ...(isOn && typeof think === "string" && { reasoning_effort: think }),
  };
}
