import { appendFileSync, copyFileSync, readFileSync, renameSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, expect, it, vi } from "vitest";
import { z } from "zod";
import type { FolderCodec } from "../../../src/store/journal/codec.js";
import { jsonRecord } from "../../../src/store/journal/codec.js";
import { JournalWriter } from "../../../src/store/journal/journal-writer.js";
import { readJournal } from "../../../src/store/journal/read-journal.js";
import { MOST_TEXT_BYTES } from "../../../src/store/text-lines.js";
import { temporaryFolder } from "../../fixtures/temporary-folder.js";
import { openFiles, watchFlushes } from "../disk.js";

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
  // With `{"text":"` and `","crc":"01234567"}` about it, the longest line that there may be.
  const longest = "x".repeat(MOST_TEXT_BYTES - 28);
  await journal.append({ text: longest });
  const refused = journal.append({ text: `${longest}x` });
  await expect(refused).rejects.toMatchObject({
    code: "bad_input",
    message: expect.stringMatching(/What came before it is kept/),
  });
  await journal.append({ text: "second" });
  await journal.close();
  const texts: string[] = [];
  for await (const { record } of readJournal(path, NOTES)) texts.push(record.text);
  expect(texts).toEqual(["first", longest, "second"]);
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

afterEach(() => vi.restoreAllMocks());

it("after a write that failed half way, goes on behind the last whole record", async () => {
  const path = join(temporaryFolder(), NOTES.file);
  const journal = await JournalWriter.open(path, NOTES, { fingerprint: "f" });
  await journal.append({ text: "first" });
  const file = await open(path, "a");
  vi.spyOn(Object.getPrototypeOf(file) as typeof file, "appendFile").mockImplementationOnce(async (bytes) => {
    appendFileSync(path, String(bytes).slice(0, 10));
    throw Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
  });
  await file.close();
  await expect(journal.append({ text: "lost" })).rejects.toThrow("found no space left on its disk");
  await journal.append({ text: "second" });
  // What comes now is another program's: nothing failed before it.
  appendFileSync(path, "{");
  await expect(journal.append({ text: "third" })).rejects.toThrow("another program changed it");
  await journal.close();
  expect(journal.records).toBe(2);
  expect(readFileSync(path, "utf8").split("\n").slice(1)).toEqual([
    expect.stringMatching(/^\{"text":"first"/),
    expect.stringMatching(/^\{"text":"second"/),
    "{",
  ]);
});

it("cuts nothing off a file that a kill of its own did not leave", async () => {
  const path = join(temporaryFolder(), NOTES.file);
  appendFileSync(path, "of another program");
  await expect(JournalWriter.open(path, NOTES, { fingerprint: "f" })).rejects.toThrow("found another first line");
  expect(readFileSync(path, "utf8")).toBe("of another program");
});

it("writes to no file that was put in the place of its own, be it the same", async () => {
  const path = join(temporaryFolder(), NOTES.file);
  const journal = await JournalWriter.open(path, NOTES, { fingerprint: "f" });
  copyFileSync(path, `${path}.copy`);
  renameSync(`${path}.copy`, path);
  await expect(journal.append({ text: "first" })).rejects.toThrow("found another file in its place");
  await journal.close();
  expect(readFileSync(path, "utf8").split("\n")).toHaveLength(2);
});

it("has what was not waited for in the file, and flushed, when it is closed", async () => {
  const path = join(temporaryFolder(), NOTES.file);
  const journal = await JournalWriter.open(path, NOTES, { fingerprint: "f" });
  const seen: string[] = [];
  await watchFlushes("sync", () => seen.push(readFileSync(path, "utf8")));
  const appended = journal.append({ text: "first" });
  await journal.close();
  expect(seen).toEqual([expect.stringContaining('"first"')]);
  await appended;
});

it.each([true, false])("flushes each write where a failure of power must not lose it: %s", async (isDurable) => {
  const path = join(temporaryFolder(), NOTES.file);
  const journal = await JournalWriter.open(path, NOTES, { fingerprint: "f" }, { isDurable });
  const seen: string[] = [];
  await watchFlushes("datasync", () => seen.push(readFileSync(path, "utf8")));
  await journal.append({ text: "first" });
  expect(seen).toEqual(isDurable ? [expect.stringContaining('"first"')] : []);
  await journal.close();
});

it("flushes no write unless told, and writes at once what comes in one turn of the event loop", async () => {
  const path = join(temporaryFolder(), NOTES.file);
  const journal = await JournalWriter.open(path, NOTES, { fingerprint: "f" });
  const seen: string[] = [];
  await watchFlushes("datasync", () => seen.push("flushed"));
  const file = await open(path, "a");
  const written = vi.spyOn(Object.getPrototypeOf(file) as typeof file, "appendFile");
  await file.close();
  await Promise.all(
    Array.from({ length: 24 }, async (_, ticks) => {
      for (let i = 0; i < ticks; i++) await null;
      await journal.append({ text: `note ${ticks}` });
    }),
  );
  expect(written).toHaveBeenCalledTimes(1);
  await journal.close();
  expect(seen).toEqual([]);
});

it("begins no write before the one before it has ended", async () => {
  const path = join(temporaryFolder(), NOTES.file);
  const journal = await JournalWriter.open(path, NOTES, { fingerprint: "f" });
  const file = await open(path, "a");
  let later: Promise<void> | null = null;
  vi.spyOn(Object.getPrototypeOf(file) as typeof file, "appendFile").mockImplementationOnce(async (bytes) => {
    later = journal.append({ text: "second" });
    // Long enough for the second to look at the file, and to be written.
    for (let turn = 0; turn < 50; turn++) await nextTurn();
    appendFileSync(path, String(bytes));
  });
  await file.close();
  await journal.append({ text: "first" });
  await later;
  await journal.close();
  expect(readFileSync(path, "utf8")).toMatch(/"first".*\n.*"second"/);
});

it("that was resumed refuses what another program wrote since, and lets go of a file that it cannot begin", async () => {
  const folder = temporaryFolder();
  const path = join(folder, NOTES.file);
  await (await JournalWriter.open(path, NOTES, { fingerprint: "f" })).close();
  const journal = await JournalWriter.open(path, NOTES, { fingerprint: "f" });
  appendFileSync(path, "x");
  await expect(journal.append({ text: "first" })).rejects.toThrow("another program changed it");
  expect(openFiles(folder)).toEqual([path]);
  await journal.close();
  expect(openFiles(folder)).toEqual([]);

  const file = await open(path, "r");
  const prototype = Object.getPrototypeOf(file) as typeof file;
  await file.close();
  vi.spyOn(prototype, "appendFile").mockRejectedValueOnce(Object.assign(new Error("EIO"), { code: "EIO" }));
  const beginning = JournalWriter.open(join(folder, "new.jsonl"), NOTES, { fingerprint: "f" });
  await expect(beginning).rejects.toThrow("found a disk that fails");
  expect(openFiles(folder)).toEqual([]);
});
