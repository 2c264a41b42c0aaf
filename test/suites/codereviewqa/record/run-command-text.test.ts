import { describe, expect, it } from "vitest";
import { runCommandText } from "../../../../src/suites/codereviewqa/record/run-command-text.js";
import { makeRunFile, makeRunModel } from "../../../fixtures/run-file.js";

const OTHER = { tasks: ["ACR"], difficulty: null, out: "results/r-rest" };

describe("runCommandText", () => {
  it("keeps the settings of the run that say whom it asks, how, and about what, and no key", () => {
    const { connection, ...model } = makeRunModel("openai:qwen", {});
    const run = makeRunFile({
      model: {
        ...model,
        connection: {
          ...connection,
          base_urls: ["http://a:8000/v1", "http://b:8000/v1"],
          api_key_env: "KEY",
          allow_generated: true,
        },
      },
      parameters: {
        tasks: ["CTR"],
        difficulties: ["hard"],
        languages: [],
        sample: 5,
        seed: 7,
        limit: null,
        prompt_mode: "chat",
        mode: "exact",
        early_stop: true,
        skip_invalid: true,
        model_args: ["patienceSeconds=9", "name=a b", "apiKeyEnv=THEIRS", "baseUrl=http://c/v1"],
      },
    });
    expect(runCommandText(run, OTHER)).toBe(
      "probe run --model openai:qwen --task ACR --dataset data.jsonl --sample 5 --seed 7 --prompt-mode chat --mode exact " +
        "--early-stop --skip-invalid --model-arg patienceSeconds=9 --model-arg 'name=a b' --base-url http://a:8000/v1 " +
        "--base-url http://b:8000/v1 --allow-generated --out results/r-rest",
    );
  });

  it("leaves the defaults out", () => {
    expect(runCommandText(makeRunFile(), OTHER)).toBe(
      "probe run --model scripted:oracle --task ACR --dataset data.jsonl --out results/r-rest",
    );
  });
});
