import { describe, expect, it } from "vitest";
import { runCommandText, shellWord } from "../../../../src/suites/codereviewqa/record/run-command-text.js";
import { makeRunFile, makeRunModel } from "../../../fixtures/run-file.js";

const OTHER = { tasks: ["ACR"], difficulty: null, out: "results/r-rest" };

describe("runCommandText", () => {
  it("keeps the settings of the run that say whom it asks, how, and about what", () => {
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
        ...{ tasks: ["CTR"], difficulties: ["hard"], languages: [], sample: 5, seed: 7, limit: null },
        ...{ prompt_mode: "chat", mode: "exact", early_stop: true, skip_invalid: true },
        model_args: ["patienceSeconds=9", "name=a b"],
      },
    });
    expect(runCommandText(run, OTHER)).toBe(
      "probe run --model openai:qwen --dataset data.jsonl --task ACR --sample 5 --seed 7 --prompt-mode chat --mode exact " +
        "--model-arg patienceSeconds=9 --model-arg 'name=a b' --base-url http://a:8000/v1 --base-url http://b:8000/v1 " +
        "--api-key-env KEY --early-stop --skip-invalid --allow-generated --out results/r-rest",
    );
  });

  it("leaves the defaults out", () => {
    expect(runCommandText(makeRunFile(), OTHER)).toBe(
      "probe run --model scripted:oracle --dataset data.jsonl --task ACR --out results/r-rest",
    );
  });
});

describe("shellWord", () => {
  it.each([
    ["results/a-1", "results/a-1"],
    ["my runs", "'my runs'"],
    ["it's", "'it'\\''s'"],
    ["$(rm)", "'$(rm)'"],
    ["", "''"],
  ])("writes %j as %s", (text, word) => {
    expect(shellWord(text)).toBe(word);
  });

  it("lets no control character through", () => {
    expect(shellWord("a\u001b[2Jb")).toBe("'a\u001b[2Jb'");
  });
});
