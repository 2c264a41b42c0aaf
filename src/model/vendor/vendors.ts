import { badInput, type ProbeError } from "../../base/errors.js";
import type { Capability } from "../requests.js";

/** Kinds of API that are spoken; each is a module of `dialect/`. */
export type DialectName = "openai" | "huggingface" | "anthropic";

/**
 * Ways in which a model is told how long to think: by an effort (OpenAI's), by an object with an effort or a number
 * (OpenRouter's), by an effort or a budget (Gemini's), by a switch of the chat template (open servers), by a switch and an
 * effort (DeepSeek's), by an object with a switch, and an effort (Together's), by an effort or a number (Fireworks').
 */
export type ThinkingStyle = "effort" | "reasoning" | "gemini" | "template" | "switch" | "toggle" | "number";

/** Batches of a service: requests that are answered within a day, for less. */
export interface BatchTerms {
  /** The most requests of one batch, and the most bytes. */
  readonly requests: number;
  readonly bytes: number;
  /** Part of the price that is paid. */
  readonly priceShare: number;
  /** Documentation of that, and the month in which it was read. */
  readonly source: { readonly url: string; readonly read: string };
}

/** A vendor of models behind an API: all by which it differs from others that speak the same dialect. */
export interface Vendor {
  /** Prefix of its models' names, such as `openai` in `openai:gpt-4o`: small letters. */
  readonly name: string;
  /** Name of its own service, in messages. */
  readonly service: string;
  /** Base URL of its own service, or of its server on this machine; with `RESOURCE` in it, a pattern of the user's own. */
  readonly baseUrl: string;
  /**
   * Environment variable that its users keep their key in; unless told otherwise, the key is sent to that origin alone.
   * `null`: a server on this machine, which is sent none.
   */
  readonly keyVariable: string | null;
  readonly dialect: DialectName;
  /** Beginnings of its own models' names: such a name alone leads to it. */
  readonly models?: RegExp;
  /** Names that it is called by elsewhere. */
  readonly otherNames?: readonly string[];
  /** `true` where some of its models have OpenAI's Responses API alone. */
  readonly hasResponses?: true;
  /** Absent: by effort. */
  readonly thinking?: ThinkingStyle;
  /** Log probabilities of a reply's tokens, by its documentation; `some`: it depends on the model. */
  readonly logprobs: "yes" | "some" | "no";
  /** Documentation of that, and the month in which it was read, as it was stored then. */
  readonly source: { readonly url: string; readonly read: string };
  /** Present where its own service takes chat prompts only: the way to have raw text continued. */
  readonly rawTextNeeds?: string;
  /** Capabilities for which its API has no request. */
  readonly lacks?: readonly Capability[];
  /** Absent: it has no batches, or none that are known here. */
  readonly batch?: BatchTerms;
  /** Further headers that its client package takes from the environment, which name an account there. */
  readonly accountHeaders?: readonly string[];
}

/** Documentation, as it stood in the month in which all of it was read. */
function readAt(url: string): Vendor["source"] {
  return { url, read: "2026-11" };
}

/** Of a service that takes chat prompts only. */
const CHAT_ONLY = {
  rawTextNeeds: "a server of your own, such as vLLM or llama.cpp's (--base-url)",
  lacks: ["token_scores", "infill"],
} as const satisfies Partial<Vendor>;

/**
 * The vendors there are. One that speaks a known dialect is an entry here, and nothing else. Any server that speaks the
 * dialect is asked under the vendor's name with `--base-url`.
 */
export const VENDORS: readonly Vendor[] = [
  {
    name: "huggingface",
    service: "Hugging Face's Inference Providers",
    baseUrl: "https://router.huggingface.co/v1",
    keyVariable: "HF_TOKEN",
    dialect: "huggingface",
    otherNames: ["hf"],
    logprobs: "some",
    source: readAt(
      "https://github.com/huggingface/huggingface.js/blob/main/packages/tasks/src/tasks/chat-completion/spec/input.json",
    ),
    rawTextNeeds: "an endpoint with TGI (--base-url)",
    // Neither TGI nor the Inference Providers take what comes after a gap.
    lacks: ["infill"],
  },
  {
    name: "openai",
    service: "OpenAI",
    baseUrl: "https://api.openai.com/v1",
    keyVariable: "OPENAI_API_KEY",
    dialect: "openai",
    models: /^(?:gpt-(?!oss)|chatgpt-|codex-|o\d(?:-|$))/,
    otherNames: ["gpt", "chatgpt"],
    hasResponses: true,
    logprobs: "some",
    // Its reference, as its own client carries it.
    source: readAt("https://github.com/openai/openai-node/blob/v6.49.0/src/resources/chat/completions/completions.ts"),
    accountHeaders: ["openai-organization", "openai-project"],
    batch: {
      requests: 50_000,
      bytes: 200_000_000,
      priceShare: 0.5,
      source: readAt("https://developers.openai.com/api/reference/cli/resources/batches/index.md"),
    },
  },
  {
    name: "anthropic",
    service: "Anthropic",
    baseUrl: "https://api.anthropic.com/v1",
    keyVariable: "ANTHROPIC_API_KEY",
    dialect: "anthropic",
    models: /^claude-/,
    otherNames: ["claude"],
    logprobs: "no",
    source: readAt("https://platform.claude.com/docs/en/api/messages/create"),
    rawTextNeeds: CHAT_ONLY.rawTextNeeds,
    lacks: ["token_scores", "infill", "embeddings"],
    batch: {
      requests: 100_000,
      bytes: 256_000_000,
      priceShare: 0.5,
      source: readAt("https://platform.claude.com/docs/en/build-with-claude/batch-processing"),
    },
  },
  {
    name: "google",
    service: "Google's Gemini API",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta/openai",
    keyVariable: "GEMINI_API_KEY",
    dialect: "openai",
    models: /^gemini-/,
    otherNames: ["gemini", "vertex", "vertexai"],
    thinking: "gemini",
    logprobs: "some",
    source: readAt("https://ai.google.dev/gemini-api/docs/openai"),
    ...CHAT_ONLY,
  },
  {
    name: "azure",
    service: "Azure OpenAI",
    baseUrl: "https://RESOURCE.openai.azure.com/openai/v1",
    keyVariable: "AZURE_OPENAI_API_KEY",
    dialect: "openai",
    otherNames: ["azureopenai", "foundry"],
    hasResponses: true,
    logprobs: "some",
    source: readAt("https://learn.microsoft.com/azure/foundry/openai/api-version-lifecycle"),
    ...CHAT_ONLY,
  },
  {
    name: "openrouter",
    service: "OpenRouter",
    baseUrl: "https://openrouter.ai/api/v1",
    keyVariable: "OPENROUTER_API_KEY",
    dialect: "openai",
    // What no client of its own is needed for: OpenRouter has these models too.
    otherNames: ["bedrock", "cohere"],
    thinking: "reasoning",
    logprobs: "some",
    source: readAt("https://openrouter.ai/docs/use-cases/reasoning-tokens"),
    ...CHAT_ONLY,
  },
  {
    name: "deepseek",
    service: "DeepSeek",
    baseUrl: "https://api.deepseek.com/v1",
    keyVariable: "DEEPSEEK_API_KEY",
    dialect: "openai",
    models: /^deepseek-(?:chat|reasoner|v\d)/,
    thinking: "switch",
    logprobs: "some",
    source: readAt("https://api-docs.deepseek.com/guides/thinking_mode"),
    ...CHAT_ONLY,
  },
  {
    name: "mistral",
    service: "Mistral",
    baseUrl: "https://api.mistral.ai/v1",
    keyVariable: "MISTRAL_API_KEY",
    dialect: "openai",
    models: /^(?:mistral|ministral|magistral|codestral|devstral|open-mi[sx]tral)-/,
    logprobs: "no",
    source: readAt("https://github.com/mistralai/platform-docs-public/blob/main/public/openapi.yaml"),
    ...CHAT_ONLY,
  },
  {
    name: "groq",
    service: "Groq",
    baseUrl: "https://api.groq.com/openai/v1",
    keyVariable: "GROQ_API_KEY",
    dialect: "openai",
    logprobs: "no",
    source: readAt("https://console.groq.com/docs/openai"),
    ...CHAT_ONLY,
  },
  {
    name: "together",
    service: "Together",
    baseUrl: "https://api.together.ai/v1",
    keyVariable: "TOGETHER_API_KEY",
    dialect: "openai",
    otherNames: ["togetherai"],
    thinking: "toggle",
    logprobs: "some",
    source: readAt("https://docs.together.ai/docs/inference/chat/reasoning"),
  },
  {
    name: "fireworks",
    service: "Fireworks",
    baseUrl: "https://api.fireworks.ai/inference/v1",
    keyVariable: "FIREWORKS_API_KEY",
    dialect: "openai",
    models: /^accounts\/[^/]+\/(?:models|deployments)\//,
    thinking: "number",
    logprobs: "yes",
    source: readAt("https://docs.fireworks.ai/api-reference/post-chatcompletions"),
  },
  {
    name: "xai",
    service: "xAI",
    baseUrl: "https://api.x.ai/v1",
    keyVariable: "XAI_API_KEY",
    dialect: "openai",
    models: /^grok-/,
    otherNames: ["grok"],
    logprobs: "some",
    source: readAt("https://docs.x.ai/docs/guides/reasoning"),
    ...CHAT_ONLY,
  },
  local("ollama", "Ollama", 11434, "some", readAt("https://docs.ollama.com/api/openai-compatibility")),
  local(
    "lmstudio",
    "LM Studio",
    1234,
    "no",
    readAt("https://lmstudio.ai/docs/developer/openai-compat/chat-completions"),
  ),
  local("vllm", "vLLM", 8000, "yes", readAt("https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html")),
  {
    ...local(
      "sglang",
      "SGLang",
      30000,
      "yes",
      readAt("https://docs.sglang.io/basic_usage/openai_api_completions.html"),
    ),
    thinking: "template",
  },
  local(
    "llamacpp",
    "llama.cpp's server",
    8080,
    "yes",
    readAt("https://github.com/ggml-org/llama.cpp/tree/master/tools/server"),
  ),
];

/** A server on this machine, at the port that it takes unless told otherwise. */
function local(
  name: string,
  service: string,
  port: number,
  logprobs: Vendor["logprobs"],
  source: Vendor["source"],
): Vendor {
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  return { name, service, baseUrl, keyVariable: null, dialect: "openai", logprobs, source };
}

/** The vendor of this name; `undefined` for a provider in this process. */
export function findVendor(name: string): Vendor | undefined {
  return VENDORS.find((vendor) => vendor.name === name);
}

/** Error of a model whose service has no batches. */
export function withoutBatches(found: string): ProbeError {
  const having = VENDORS.filter(({ batch }) => batch !== undefined).map(
    ({ name, service }) => `${service} (${name}:NAME)`,
  );
  return badInput(
    `Expected a service with batches for --batch, found none at ${found}. These have them: ${having.join(", ")}. ` +
      "Leave --batch out to ask question by question.",
  );
}
