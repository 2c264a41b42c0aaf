import { writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { newSession } from "../../../../src/suites/codereviewqa/ask/new-session.js";
import { parseRequest } from "../../../../src/suites/codereviewqa/cli/run-handler.js";
import { useFreshFolder } from "../../../fixtures/fresh-folder.js";

const folder = useFreshFolder();

describe("newSession", () => {
  it("asks what the command line asks when nothing is said", async () => {
    const { request, folder: chosen } = await newSession({ model: "tiny" });
    expect(request).toEqual(await parseRequest({ model: "tiny" }, process.cwd()));
    expect(chosen).toBeNull();
  });

  it("asks what the command line asks when everything is said", async () => {
    const { request, folder: chosen } = await newSession({
      ...{ model: "openai:gpt-4o-mini", settings: { topLogprobs: "5" }, tasks: ["cl", "ACR"], difficulties: ["hard"] },
      connection: { baseUrls: ["http://127.0.0.1:1/v1"], apiKeyEnv: "KEY", concurrency: 3, force: true },
      selection: { languages: ["go"], sample: 5, seed: 7, limit: 4 },
      ...{
        dataset: "data.jsonl",
        promptMode: "chat",
        mode: "exact",
        earlyStop: true,
        skipInvalid: true,
        folder: "out",
      },
    });
    const given = {
      ...{ model: "openai:gpt-4o-mini", modelArg: "topLogprobs=5", task: "cl,ACR", difficulty: "hard", force: true },
      ...{
        baseUrl: "http://127.0.0.1:1/v1",
        apiKeyEnv: "KEY",
        concurrency: "3",
        language: "go",
        sample: "5",
        seed: "7",
      },
      ...{ limit: "4", dataset: "data.jsonl", promptMode: "chat", mode: "exact", earlyStop: true, skipInvalid: true },
    };
    expect(request).toEqual(await parseRequest(given, process.cwd()));
    expect(chosen).toBe("out");
  });

  it("knows the aliases and prices of the working directory", async () => {
    const config = {
      models: { mine: { model: "scripted:oracle", settings: {} } },
      prices: { as_of: "2026-01-01", currency: "EUR", models: { mine: { input: 1, output: 2 } } },
    };
    await writeFile(folder.path("probe.config.json"), JSON.stringify(config));
    const { request } = await newSession({ model: "mine", workingDirectory: folder.path() });
    expect(request.model).toMatchObject({ label: "mine", provider: "scripted", name: "oracle" });
    expect(request.price).toMatchObject({ currency: "EUR", inputPerMillion: 1 });
  });

  it("refuses a model whose name means nothing, naming what is near", async () => {
    await expect(newSession({ model: "tyni" })).rejects.toThrow(/Did you mean tiny\?/);
  });

  it("is silent unless an observer is given, and tells that one what it listens to", async () => {
    const told: string[] = [];
    const { observer } = await newSession({ model: "tiny", observer: { onMessage: (message) => told.push(message) } });
    observer.onStart(6, 0);
    observer.onMessage("hello");
    expect(told).toEqual(["hello"]);
  });
});
