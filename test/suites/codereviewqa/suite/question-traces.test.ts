import { writeFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { THOUGHT_JOURNAL } from "../../../../src/suites/codereviewqa/answer/thoughts.js";
import { readThoughts } from "../../../../src/suites/codereviewqa/suite/question-traces.js";
import { makeAnswer } from "../../../fixtures/answer.js";
import { useFreshFolder } from "../../../fixtures/fresh-folder.js";
import { makeRunFile } from "../../../fixtures/run-file.js";

const folder = useFreshFolder();

async function read(room: number, ...thoughts: readonly (readonly [order: number, text: string | null])[]) {
  const lines = thoughts.map(([permutationIndex, text]) =>
    THOUGHT_JOURNAL.encode({ ...makeAnswer({ permutationIndex }), text, tokens: null, end: "closed" }),
  );
  await writeFile(folder.path("thoughts.jsonl"), lines.map((line) => `${line}\n`).join(""));
  return (await readThoughts(folder.path(), makeRunFile(), room)).get("CTR 0123456789ab");
}

it("cuts thoughts to 600 characters, none in half, and tells how many are left out", async () => {
  const long = `${"x".repeat(599)}😀yz`;
  // The smiley is two units, of which the 600th is the first: 2 of it and 2 letters are left out.
  expect(await read(1e6, [1, long], [0, "short"])).toEqual([
    [0, 0, "short", 0],
    [1, 0, "x".repeat(599), 4],
  ]);
});

it("shows no more of all together than there is room for", async () => {
  expect(await read(8, [0, "first"], [1, "second"], [2, "third"])).toEqual([
    [0, 0, "first", 0],
    [1, 0, "sec", 3],
    [2, 0, "", 5],
  ]);
});

it("takes the last thoughts of a place, and none where there is no text", async () => {
  expect(await read(1e6, [0, "lost by a kill"], [1, null], [0, "again"])).toEqual([[0, 0, "again", 0]]);
  expect(await read(1e6, [1, null])).toBeUndefined();
});
