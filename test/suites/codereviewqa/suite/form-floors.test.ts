import { writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { FLOORS_FILE, floorLine } from "../../../../src/question/floors/floor-record.js";
import { readFloors } from "../../../../src/suites/codereviewqa/suite/form-floors.js";
import { useFreshFolder } from "../../../fixtures/fresh-folder.js";
import { makeFloors } from "../../../fixtures/question-floors.js";
import { makeScore } from "../../../fixtures/question-score.js";
import { makeRunFile } from "../../../fixtures/run-file.js";

const folder = useFreshFolder();

describe("readFloors", () => {
  it("are those that the run recorded, by form", async () => {
    const records = [
      makeFloors({ exampleId: "a" }),
      makeFloors({ exampleId: "a", task: "CL", difficulty: "hard" }),
      makeFloors({ exampleId: "b" }),
    ];
    await writeFile(folder.path(FLOORS_FILE), records.map((record) => `${floorLine(record)}\n`).join(""));
    const floors = await readFloors(folder.path(), makeRunFile(), []);
    expect([...floors].map(([form, { questions }]) => [form, questions.map(({ exampleId }) => exampleId)])).toEqual([
      ["CTR", ["a", "b"]],
      ["CL hard", ["a"]],
    ]);
  });

  it("of a run that recorded none are what its answers tell: the commonest right answer", async () => {
    const scores = [
      makeScore({ exampleId: "a" }),
      makeScore({ exampleId: "b", changeType: "add" }),
      // Where the change is has no classes.
      makeScore({ exampleId: "a", task: "CL", difficulty: "hard" }),
    ];
    const floors = await readFloors(folder.path(), makeRunFile(), scores);
    expect([...floors].map(([form, { questions }]) => [form, questions.length])).toEqual([["CTR", 2]]);
  });
});
