import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { OfficialRecord } from "../../src/dataset/official-record.js";
import { readingKeeper, SUFFICE } from "../../src/distractors/needs-reading.js";

const starter = readFileSync(join(import.meta.dirname, "../../datasets/starter.jsonl"), "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as OfficialRecord);

async function* all(records: readonly OfficialRecord[]) {
  yield* records;
}

it("drops a record of which no question could be built for that, not because words of its review suffice", async () => {
  const [deletion] = starter.filter(({ type_correct }) => type_correct === "remove_only");
  if (deletion === undefined) throw new Error("no deletion");
  const { loc_wrong_easy: _easy, loc_wrong_hard: _hard, ...bare } = deletion;
  const none: OfficialRecord = { ...bare, id: "none", not_built: { CL: "too few lines" } };
  const keep = await readingKeeper(all([...starter, none]));
  expect(keep(none)).toEqual({ dropped: expect.stringContaining("no CL or SI question") as string });
  const dropped = starter.map(keep).flatMap((kept) => ("dropped" in kept ? kept.dropped : []));
  expect([dropped.length > 0, new Set(dropped)]).toEqual([true, new Set([SUFFICE])]);
});
