import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { hashAsBefore } from "../fixtures/before.js";
import { runProbe } from "../fixtures/cli.js";
import { readTable } from "../fixtures/tables.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

/** The starter set of commit 09071af: the present one has other distractors. */
const STARTER = join(import.meta.dirname, "../reference/starter-09071af.jsonl");
const folder = temporaryFolder();

/** Of the tables that commit 09071af wrote, columns that came later left out (see `hashAsBefore`); the summary has other intervals now. */
const UNIFORM = {
  "answers.csv": "82f33d1ef3b4cfe231c3bf228fb883dd17d87f2dc836343d763fb620a9e61532",
  "questions.csv": "e4b4e38ac369475de9604a3abdd59212c99c8c48fb1b7eb2face780b520d0194",
  "generations.csv": "ef0a5d1073e39dc1c65327abe74d70d18ba81dbc02e23e5a23a433d6d6339717",
};
/** Likewise of `tiny` on the first eight examples, and on all of them. */
const TINY_8 = {
  "answers.csv": "c271486c0c68e9dfe3edbd2cae5ec421652b13b331e5640ca4b377aa8d3979f8",
  "questions.csv": "dbdedbdc6380c3b31e5dabd82fed6f20823f697a224b9efd80303f4034b9e605",
  "generations.csv": "aac2a4666c434aeb7d336d4c8b5dd7d739184af82e3b40cf9ad35597c2e3f53c",
};
const TINY = {
  "answers.csv": "885821cc93abad2bc6932e5464c1ead13831273db35ca1ddcf47f47bb4e08ccd",
  "questions.csv": "5e144409ddd4f1c885e64557993531809ef211ebff262b53d3015df2b6f5cb0e",
  "generations.csv": "6f1c473e0c567f206fbdbacada74b689705503f399b7a5b2583f15c106dbe579",
};

/** The first log probability of these runs; another processor may have other last digits. */
const FIRST_LOGPROB = "-2.7257330442292593";

async function run(model: string, ...more: string[]): Promise<string> {
  const out = join(folder, model.replace(/\W/g, "-") + more.join(""));
  const args = ["run", "--model", model, "--dataset", STARTER, "--task", "CTR,CL,SI,ACR", "--out", out, "--quiet"];
  const { code, stderr } = await runProbe([...args, ...more]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return out;
}

function expectAsBefore(out: string, hashes: Readonly<Record<string, string>>): void {
  const found = Object.keys(hashes).map((file) => [file, hashAsBefore(out, file)]);
  expect(Object.fromEntries(found)).toEqual(hashes);
}

describe("the tables of a run", () => {
  it("are those of commit 09071af for scripted:uniform, all tasks, on the starter set of then", async () => {
    expectAsBefore(await run("scripted:uniform", "--seed", "1"), UNIFORM);
  });

  describe("of tiny", () => {
    let out = "";
    beforeAll(async () => {
      out = await run("tiny", "--limit", "8");
    });

    it("are those of then, to the last digit of every log probability", ({ skip }) => {
      const first = readTable(out, "answers.csv")[0]?.["logprob_a"];
      if (first !== FIRST_LOGPROB) skip(`this processor computes other last digits: ${first}, not ${FIRST_LOGPROB}`);
      expectAsBefore(out, TINY_8);
    });

    it("have the same answers on any processor", () => {
      const answers = readTable(out, "answers.csv");
      // Counted in the answers.csv of then.
      expect(answers).toHaveLength(720);
      const right = answers.filter(({ correct }) => correct === "true").length;
      expect(right).toBe(192);
    });
  });

  it.runIf(process.env["PROBE_SLOW_TESTS"] === "1")("are those of then for tiny on the whole starter set", async () => {
    expectAsBefore(await run("tiny"), TINY);
  });
});
