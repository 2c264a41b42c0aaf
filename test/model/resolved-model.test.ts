import { describe, expect, it } from "vitest";
import type { Alias } from "../../src/model/model-aliases.js";
import { openModel } from "../../src/model/open-model.js";
import { resolveModel } from "../../src/model/resolved-model.js";
import { VENDORS } from "../../src/model/vendor/vendors.js";
import { OPEN_OPTIONS } from "../fixtures/open-options.js";

const alias = (name: string, model: string, settings = {}): [string, Alias] => [
  name,
  { name, model, settings, origin: "shipped" },
];
const ALIASES = new Map([
  alias("tiny", "llama:package:tiny.gguf", { threads: 1 }),
  alias("qwen", "llama:hf:Qwen/q"),
  alias("lost", "nowhere:model"),
]);

function messageFor(label: string): string {
  try {
    resolveModel(label, ALIASES);
  } catch (error) {
    expect(error).toMatchObject({ code: "bad_input" });
    return error instanceof Error ? error.message : "";
  }
  throw new Error(`Expected ${label} to be refused.`);
}

describe("resolveModel", () => {
  it("finds an alias, with its settings, under the label the user typed", () => {
    expect(resolveModel("tiny", ALIASES)).toEqual({
      label: "tiny",
      provider: "llama",
      name: "package:tiny.gguf",
      settings: { threads: 1 },
    });
  });

  it("takes provider:name, and colons in the name as part of it", () => {
    expect(resolveModel("llama:hf:owner/name:Q4_K_M", ALIASES)).toEqual({
      label: "llama:hf:owner/name:Q4_K_M",
      provider: "llama",
      name: "hf:owner/name:Q4_K_M",
      settings: {},
    });
  });

  it.each(["models/m.gguf", "/abs/m.gguf", "C:\\models\\m.gguf"])("takes %s for a GGUF file", (path) => {
    expect(resolveModel(path, ALIASES)).toMatchObject({ label: path, provider: "llama", name: path });
  });

  it("refuses what means nothing, and suggests near names only", () => {
    expect(messageFor("tinny")).toContain("Did you mean tiny?");
    expect(messageFor("quen")).toContain("Did you mean qwen?");
    expect(messageFor("nothing-like-it")).not.toContain("Did you mean");
  });

  it.each(["nowhere:model", "llama:", "llama", ":name", "", "constructor:x", "__proto__:x"])(
    "refuses %j, naming the providers there are",
    (label) => {
      expect(messageFor(label)).toMatch(/llama, .*scripted/);
    },
  );

  it("names the target of an alias whose provider does not exist, not the alias itself as a near name", () => {
    expect(messageFor("lost")).toContain("nowhere:model");
    expect(messageFor("lost")).not.toContain("Did you mean");
  });

  it("names a label as it is: the console makes visible what a terminal would obey", () => {
    expect(messageFor("\u001b[2J")).toContain("\u001b[2J");
  });
});

describe("openModel", () => {
  it("opens a model of the provider, by its name", async () => {
    const model = await openModel(resolveModel("scripted:uniform", ALIASES), { ...OPEN_OPTIONS, seed: 3 });
    expect(model.identity).toEqual({ provider: "scripted", rule: "uniform", seed: 3 });
  });
});

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
