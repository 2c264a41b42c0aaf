import { readdirSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { importTable } from "../../../src/dataset/import/review-table.js";
import { useFreshFolder } from "../../fixtures/fresh-folder.js";

const folder = useFreshFolder();

it("an import that is interrupted leaves nothing", async () => {
  const table = folder.path("reviews.csv");
  writeFileSync(table, "");
  const stop = new AbortController();
  async function* stoppedBehindOne() {
    for (const line of [1, 2]) {
      yield { status: "unsupported", line, text: "{}", language: "cobol" } as const;
      stop.abort();
    }
  }
  const imported = importTable(table, stoppedBehindOne(), folder.path("out.jsonl"), {
    now: new Date(0),
    signal: stop.signal,
  });
  await expect(imported).rejects.toMatchObject({ name: "AbortError" });
  expect(readdirSync(folder.path("."))).toEqual(["reviews.csv"]);
});
