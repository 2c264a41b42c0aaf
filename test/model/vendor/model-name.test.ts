import { expect, it } from "vitest";
import type { ModelIdentity } from "../../../src/model/model.js";
import { modelName, wayTo } from "../../../src/model/vendor/model-name.js";

const named = (label: string, identity: ModelIdentity) => modelName({ label, identity });

it("knows a model behind a server by the name that the server has it by", () => {
  expect(named("openai:auto", { provider: "openai", name: "Qwen/Qwen2.5-Coder-7B" })).toBe("Qwen/Qwen2.5-Coder-7B");
  expect(named("lab", { provider: "openai", name: "gpt-4o" })).toBe("gpt-4o");
  // TGI answers whatever it is called.
  expect(named("huggingface:x", { provider: "huggingface", name: "x", model: "bigcode/starcoder2-3b" })).toBe(
    "bigcode/starcoder2-3b",
  );
});

it("leaves out of it where a server keeps the file", () => {
  expect(named("openai:auto", { provider: "openai", name: "/srv/models/tiny.gguf" })).toBe("tiny.gguf");
  expect(named("openai:auto", { provider: "openai", name: "C:\\models\\tiny.gguf" })).toBe("tiny.gguf");
});

it("keeps the typed name of a model in this process, of an agent, and of a server that lists none", () => {
  expect(named("tiny", { provider: "llama", name: "tiny.gguf" })).toBe("tiny");
  expect(named("command", { provider: "agent", name: "command" })).toBe("command");
  expect(named("openai:auto", { provider: "openai", name: "auto" })).toBe("openai:auto");
  expect(named("old", {})).toBe("old");
});

it("says the way to a model beside its name, where that is not the name that was typed", () => {
  const connection = { base_urls: ["http://127.0.0.1:8000/v1"] };
  const server = { label: "openai:auto", identity: { provider: "openai", name: "m" }, connection };
  expect(wayTo(server)).toEqual(["by openai:auto at http://127.0.0.1:8000/v1"]);
  expect(wayTo({ ...server, connection: { base_urls: [] } })).toEqual(["by openai:auto"]);
  expect(wayTo({ ...server, label: "tiny", identity: { provider: "llama", name: "t" } })).toEqual([]);
});
