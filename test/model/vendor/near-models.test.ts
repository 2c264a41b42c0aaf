import { expect, it } from "vitest";
import { resolveModel } from "../../../src/model/resolved-model.js";
import { VENDORS } from "../../../src/model/vendor/vendors.js";

/** The hint of the message on a name that means nothing. */
function hintFor(label: string): string {
  try {
    resolveModel(label, new Map());
  } catch (error) {
    return (
      /^Did you mean (.*)\? Expected provider:name, an alias /s.exec(
        error instanceof Error ? error.message : "",
      )?.[1] ?? ""
    );
  }
  throw new Error(`Expected ${label} to be refused.`);
}

const CHAT = "--prompt-mode chat";

it.each([
  ["gpt-4o", `--model openai:gpt-4o ${CHAT}`],
  ["o3-mini", `--model openai:o3-mini ${CHAT}`],
  ["claude-opus-4-6", `--model anthropic:claude-opus-4-6 ${CHAT} --allow-generated`],
  ["gemini-2.5-pro", `--model google:gemini-2.5-pro ${CHAT}`],
  ["deepseek-chat", `--model deepseek:deepseek-chat ${CHAT}`],
  ["codestral-latest", `--model mistral:codestral-latest ${CHAT} --allow-generated`],
  ["deepseek-reasoner", `--model deepseek:deepseek-reasoner ${CHAT}`],
  ["grok-4", `--model xai:grok-4 ${CHAT}`],
  ["accounts/fireworks/models/x", `--model fireworks:accounts/fireworks/models/x ${CHAT}`],
])("leads from the model's name %s to its vendor", (label, line) => {
  expect(hintFor(label)).toBe(line);
});

it.each([
  ["claude:opus", `--model anthropic:opus ${CHAT} --allow-generated`],
  ["openai/gpt-4o", `--model openai:gpt-4o ${CHAT}`],
  ["ollama/llama3", `--model ollama:llama3 ${CHAT}`],
  ["lm-studio:phi", `--model lmstudio:phi ${CHAT} --allow-generated`],
  ["llama3.1:8b", `--model ollama:llama3.1:8b ${CHAT}`],
  ["llama.cpp:auto", `--model llamacpp:auto ${CHAT}`],
  ["bedrock:x", `--model openrouter:x ${CHAT}`],
  [
    "azure-openai:mine",
    `--model azure:mine --base-url https://RESOURCE.openai.azure.com/openai/v1 --api-key-env AZURE_OPENAI_API_KEY ${CHAT}`,
  ],
  ["opneai:gpt-4o", "--model openai:gpt-4o"],
])("leads from %s, a prefix that is used elsewhere or a slip, to the one that works", (label, line) => {
  expect(hintFor(label)).toBe(line);
});

it.each(["Qwen/Qwen2.5-Coder-7B", "google/gemma-2-9b", "openai/gpt-oss-20b"])(
  "takes %s for a name of the hub",
  (label) => {
    expect(hintFor(label)).toBe(`--model huggingface:${label} ${CHAT} or (served by vLLM) --model vllm:${label}`);
  },
);

it.each(["./models/x", "a b/c", "nonsense", "x".repeat(200)])("says nothing of %s", (label) => {
  expect(hintFor(label)).toBe("");
});

it("makes a line of each vendor that resolves to it", () => {
  for (const { name } of VENDORS) {
    const line = hintFor(`${name.toUpperCase()}:some-model`);
    const model = /--model (\S+)/.exec(line)?.[1] ?? "";
    expect(resolveModel(model, new Map()), line).toMatchObject({ provider: name, name: "some-model" });
  }
});

it("quotes what a shell would take apart", () => {
  expect(hintFor("gpt-4o; rm -rf x")).toBe(`--model 'openai:gpt-4o; rm -rf x' ${CHAT}`);
});
