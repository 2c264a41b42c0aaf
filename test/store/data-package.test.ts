import { readFile, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { writeDataPackage } from "../../src/store/data-package.js";
import { ANSWERS, QUESTIONS } from "../../src/suites/codereviewqa/record/result-tables.js";
import { useFreshFolder } from "../fixtures/fresh-folder.js";

const folder = useFreshFolder();
const packageSchema = z.looseObject({ name: z.string(), resources: z.array(z.looseObject({ schema: z.unknown() })) });

async function describeRun(runId: string): Promise<z.infer<typeof packageSchema>> {
  await writeFile(folder.path("answers.csv"), "abc");
  await writeFile(folder.path("questions.csv"), "");
  await writeDataPackage(folder.path(), runId, [ANSWERS, QUESTIONS]);
  return packageSchema.parse(JSON.parse(await readFile(folder.path("datapackage.json"), "utf8")));
}

describe("writeDataPackage", () => {
  it("gives size and hash of each table", async () => {
    const { resources } = await describeRun("r");
    // SHA-256 of "abc" and of nothing (FIPS 180-2)
    expect(resources).toMatchObject([
      {
        name: "answers",
        path: "answers.csv",
        bytes: 3,
        hash: "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
      },
      {
        name: "questions",
        path: "questions.csv",
        bytes: 0,
        hash: "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
      },
    ]);
  });

  it("describes every column with its type, and empty as missing", async () => {
    const { resources } = await describeRun("r");
    const correct = {
      name: "correct",
      type: "boolean",
      description: "True if option 0 was chosen; empty unless status is chosen.",
    };
    expect(resources[0]?.schema).toMatchObject({
      fields: expect.arrayContaining([correct]),
      missingValues: [""],
      primaryKey: ["run_id", "task", "difficulty", "ablation", "example_id", "permutation_index", "repeat"],
    });
  });

  it("has a name that Frictionless allows: lower case letters, digits, point, hyphen, underscore", async () => {
    const { name } = await describeRun("20260102T030405Z-My Model:1");
    expect(name).toMatch(/^[a-z0-9._-]+$/);
    expect(name).toBe("20260102t030405z-my-model-1");
  });
});
