import { writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import type { Console } from "../../../../src/console/console.js";
import type { GivenOptions } from "../../../../src/console/option.js";
import { suiteRequest } from "../../../../src/run/suite-request.js";
import { newSession, type RunSession } from "../../../../src/suites/codereviewqa/suite/new-session.js";
import { suite } from "../../../../src/suites/codereviewqa/suite/suite.js";
import { useFreshFolder } from "../../../fixtures/fresh-folder.js";

const folder = useFreshFolder();

/** What is asked for: not who said it, nor who is warned. */
type AskedFor = Omit<RunSession["request"], "warn" | "named">;

/** What the command line asks for. */
async function askedBy(given: GivenOptions): Promise<AskedFor> {
  const console: Console = {
    ...{ out: () => {}, err: () => {}, isTerminal: false, workingDirectory: process.cwd() },
    ...{ now: () => new Date(0), onInterrupt: () => () => {} },
  };
  return askedFor(await suiteRequest(suite, given, null, console));
}

function askedFor({ warn: _, named: __, ...request }: RunSession["request"]): AskedFor {
  return request;
}

describe("newSession", () => {
  it("asks what the command line asks when nothing is said", async () => {
    const { request, folder: chosen } = await newSession({ model: "tiny" });
    expect(askedFor(request)).toEqual(await askedBy({ model: "tiny" }));
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
    expect(askedFor(request)).toEqual(await askedBy(given));
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
    observer.onStart(6, 0, "answers");
    observer.onMessage("hello");
    expect(told).toEqual(["hello"]);
  });
});
