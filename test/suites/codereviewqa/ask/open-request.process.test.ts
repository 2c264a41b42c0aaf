import { afterAll, describe, expect, it } from "vitest";
import { probe } from "../../../../probes/acr.js";
import { sha256 } from "../../../../src/base/sha256.js";
import { readExamples } from "../../../../src/dataset/dataset-file.js";
import { loadTemplate } from "../../../../src/question/prompt.js";
import { buildOpenQuestions } from "../../../../src/question/question-build.js";
import { openRequest } from "../../../../src/suites/codereviewqa/ask/question-requests.js";
import { collect } from "../../../fixtures/collect.js";
import { MINI } from "../../../fixtures/reference.js";
import { openTiny } from "../../../model/llama/open-tiny.js";

const template = await loadTemplate("ACR");
const questions = await collect(
  buildOpenQuestions(readExamples(MINI, new Set([1, 2, 3, 4, 5, 6])), [{ probe, difficulty: null }]),
);
const requests = questions.map((question) => openRequest(question, template, 5));

describe("openRequest", () => {
  it("asks for the Python record's revision in the paper's words, to the byte", () => {
    const [{ request, promptSha256 }] = requests as [(typeof requests)[number]];
    // Figure 2 of the paper and the facts in spec §3.
    const prompt = [
      "",
      "### The following Python code snippet has received a code review.",
      "[Python]",
      "1 def lookup(table, key):",
      "2     try:",
      "3         return table[key]",
      "4     except Exception:",
      "5         return None",
      "6 ",
      "7 def names(table):",
      "8     return sorted(table)",
      "[/Python]",
      "[CODE REVIEW]",
      "Do we really want to swallow every exception here? I'd only ignore the missing key.",
      "[/CODE REVIEW]",
      "### Please generate a revised version of the code snippet according to the code review. Do not add explanations.",
      "[Python]",
      "",
    ].join("\n");
    expect(request.prompt).toBe(prompt);
    expect(promptSha256).toBe(sha256(prompt));
  });

  it("asks greedily, for at most 512 tokens, up to the closing line, with the seed of the run", () => {
    expect(requests[0]?.request).toMatchObject({
      temperature: 0,
      topK: null,
      maxTokens: 512,
      stop: ["[/Python]"],
      seed: 5,
    });
    expect(requests[4]?.request.stop).toEqual(["[/CSharp]"]);
  });

  it("tells scripted models the example and the right code, and keeps the pre-review code with the place", () => {
    const preReview =
      "public class Loader\n{\n    public string Load(string path)\n    {\n        return File.ReadAllText(path);\n    }\n}";
    const reference =
      "public class Loader\n{\n    public async Task<string> LoadAsync(string path)\n    {\n        return await File.ReadAllTextAsync(path);\n    }\n}";
    expect(requests[4]?.request.key).toEqual({ task: "ACR", exampleId: "mini-cs", reference });
    expect(requests[4]?.place).toEqual({
      generationIndex: 4,
      task: "ACR",
      exampleId: "mini-cs",
      language: "csharp",
      changeType: "modify",
      reference,
      preReview,
    });
  });
});

describe("the prompts of ACR", () => {
  const opened = openTiny({ needs: [] });
  afterAll(async () => (await opened).close());

  it("have the tokens that PyTorch counted, with the post-review code behind them", async () => {
    // tiny-symbols.jsonl, form ACR: predicted tokens, so all but the first (BOS).
    const counted: Readonly<Record<string, number>> = { "mini-py": 216, "mini-go": 279, "mini-java": 235 };
    const model = await opened;
    for (const { place, request } of requests) {
      const expected = counted[place.exampleId];
      if (expected === undefined) continue;
      expect(await model.countTokens!(`${request.prompt}${place.reference}`)).toBe(expected + 1);
    }
  });
});
