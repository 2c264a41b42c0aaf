import { afterAll, beforeAll, describe } from "vitest";
import type { Model, OpenModelOptions } from "../../src/model/model.js";
import { openModel, resolveModel } from "../../src/model/registry.js";
import { LLAMA_SERVER_TIMEOUT_MS, startLlamaServer } from "../fixtures/llama-server.js";
import { OPEN_OPTIONS } from "../fixtures/open-options.js";
import { modelContract } from "./contract.js";

const MODELS: [label: string, options: Partial<OpenModelOptions>][] = [
  ["openai:tiny", { promptMode: "completion" }],
  ["openai:tiny", { promptMode: "chat" }],
  ["huggingface:tiny", { promptMode: "chat" }],
];

describe.each(MODELS)("the model %s behind a real server, %o", (label, options) => {
  let model: Model;
  let stop: () => Promise<void>;

  beforeAll(async () => {
    const server = await startLlamaServer({ args: ["-np", "1"] });
    stop = server.stop;
    const connection = { ...OPEN_OPTIONS.connection, baseUrls: [`${server.url}/v1`], concurrency: 1 };
    model = await openModel(resolveModel(label, new Map()), { ...OPEN_OPTIONS, ...options, connection });
  }, LLAMA_SERVER_TIMEOUT_MS);

  afterAll(async () => {
    await model.close();
    await stop();
  });

  modelContract(() => model);
});
