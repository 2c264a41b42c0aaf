import type { ExtractionWay, WirePrompt, WireRequest } from "../extraction/way.js";
import type { PromptMode } from "../model.js";

/** Chat completions report up to 20; TGI reports 5 unless it was started with more. */
const CHAT_LISTS = [20, 5] as const;
const TGI_LIST = 5;

/** The ways a Hugging Face endpoint may offer, best first: chat completions, or TGI's own `/generate` for raw text. */
export function huggingfaceWays(mode: PromptMode, topLogprobs: number | null): ExtractionWay[] {
  if (mode === "chat") return (topLogprobs === null ? CHAT_LISTS : [topLogprobs]).map(chatWay);
  return [tgiWay(topLogprobs ?? TGI_LIST)];
}

function chatWay(listLength: number): ExtractionWay {
  return {
    name: `chat completion, top_logprobs ${listLength}`,
    extraction: "top_logprobs",
    isGuided: false,
    listLength,
    request: (prompt) => chatRequest(prompt, { logprobs: true, top_logprobs: listLength }),
  };
}

function tgiWay(listLength: number): ExtractionWay {
  const parameters = { max_new_tokens: 1, do_sample: false, details: true, top_n_tokens: listLength };
  return {
    name: `TGI /generate, top_n_tokens ${listLength}`,
    extraction: "top_logprobs",
    isGuided: false,
    listLength,
    request: (prompt) => ({ path: "/generate", body: { inputs: prompt, parameters } }),
  };
}

/** The letter the endpoint writes, without probabilities. */
export function generatedWay(mode: PromptMode): ExtractionWay {
  return {
    name: "generated letter",
    extraction: "generated",
    isGuided: false,
    listLength: 0,
    request: (prompt) =>
      mode === "chat"
        ? chatRequest(prompt, {})
        : { path: "/generate", body: { inputs: prompt, parameters: { max_new_tokens: 1, do_sample: false } } },
  };
}

function chatRequest(prompt: WirePrompt, more: Readonly<Record<string, unknown>>): WireRequest {
  return {
    path: "/chat",
    body: { messages: [{ role: "user", content: prompt }], max_tokens: 1, temperature: 0, ...more },
  };
}
