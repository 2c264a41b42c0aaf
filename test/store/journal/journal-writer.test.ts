import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { z } from "zod";
import type { FolderCodec } from "../../../src/store/journal/codec.js";
import { jsonRecord } from "../../../src/store/journal/codec.js";
import { JournalWriter } from "../../../src/store/journal/journal-writer.js";
import { readJournal } from "../../../src/store/journal/read-journal.js";
import { temporaryFolder } from "../../fixtures/temporary-folder.js";

const schema = z.object({ text: z.string() });
const NOTES: FolderCodec<z.infer<typeof schema>> = {
  kind: "notes",
  file: "notes.jsonl",
  journal: "notes",
  record: "a note",
  onDamage: "Remove it.",
  version1: "record",
  ...jsonRecord(schema),
  placeOf: () => null,
  isFailed: () => false,
};

it("a record that no program would read again is refused; what stands before and behind it is kept", async () => {
  const path = join(temporaryFolder(), NOTES.file);
  const journal = await JournalWriter.open(path, NOTES, { fingerprint: "f" });
  await journal.append({ text: "first" });
  // Over 8 MB with its checksum.
  const refused = journal.append({ text: "x".repeat(8 * 1024 * 1024) });
  await expect(refused).rejects.toMatchObject({
    code: "bad_input",
    message: expect.stringMatching(/What came before it is kept/),
  });
  await journal.append({ text: "second" });
  await journal.close();
  const texts: string[] = [];
  for await (const { record } of readJournal(path, NOTES)) texts.push(record.text);
  expect(texts).toEqual(["first", "second"]);
});

it("records that come together are in the file, in their order, before any is said to be", async () => {
  const path = join(temporaryFolder(), NOTES.file);
  const journal = await JournalWriter.open(path, NOTES, { fingerprint: "f" });
  const texts = Array.from({ length: 50 }, (_, i) => `note ${i}`);
  const isThere = await Promise.all(
    texts.map(async (text, i) => {
      // Some in this turn, some while a write is under way.
      if (i % 10 === 9) await journal.append({ text: `before ${i}` });
      await journal.append({ text });
      return readFileSync(path, "utf8").includes(`"${text}"`);
    }),
  );
  expect(isThere.every(Boolean)).toBe(true);
  expect(journal.records).toBe(55);
  await journal.close();
  const read: string[] = [];
  for await (const { record } of readJournal(path, NOTES)) read.push(record.text);
  expect(read.filter((text) => !text.startsWith("before") && !text.endsWith("9"))).toEqual(
    texts.filter((text) => !text.endsWith("9")),
  );
  expect(new Set(read).size).toBe(55);
});

it("where a write fails, every record of it is refused, and none is counted", async () => {
  const path = join(temporaryFolder(), NOTES.file);
  const journal = await JournalWriter.open(path, NOTES, { fingerprint: "f" });
  await journal.append({ text: "first" });
  appendFileSync(path, "of another program");
  const refused = await Promise.allSettled(["second", "third"].map((text) => journal.append({ text })));
  expect(refused.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(journal.records).toBe(1);
  await journal.close();
});
