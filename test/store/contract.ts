import { closeSync, openSync, readFileSync, truncateSync, writeFileSync, writeSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { WorkIdentity } from "../../src/store/identity.js";
import type { JournalCodec } from "../../src/store/journal/codec.js";
import { JournalWriter } from "../../src/store/journal/journal-writer.js";
import { readJournal } from "../../src/store/journal/read-journal.js";
import { collect } from "../fixtures/collect.js";
import { useFreshFolder } from "../fixtures/fresh-folder.js";

export interface JournalContract<T> {
  readonly codec: JournalCodec<T>;
  readonly identity: WorkIdentity;
  /** At least four, as a journal of this kind holds them. */
  readonly records: readonly T[];
}

/** What every journal of the program keeps to, whoever writes it. */
export function describeJournal<T>(name: string, { codec, identity, records }: JournalContract<T>): void {
  describe(`the journal of ${name}`, () => {
    const folder = useFreshFolder();
    const path = () => folder.path("journal.jsonl");

    async function write(some: readonly T[]): Promise<Buffer> {
      const journal = await JournalWriter.open(path(), codec, identity);
      for (const record of some) await journal.append(record);
      await journal.close();
      return readFileSync(path());
    }

    const read = async (options = { identity }): Promise<T[]> =>
      (await collect(readJournal(path(), codec, options))).map(({ record }) => record);

    it("says in its first line what it is, and gives back what was written", async () => {
      const [first] = (await write(records)).toString().split("\n");
      expect(JSON.parse(first!)).toEqual({ journal: codec.kind, version: 2, identity });
      expect(await read()).toEqual(records);
    });

    it("has whole JSON in every line, with a checksum as its last key", async () => {
      for (const line of (await write(records)).toString().trimEnd().split("\n").slice(1)) {
        const value = JSON.parse(line) as Record<string, unknown>;
        expect(Object.keys(value).at(-1)).toBe("crc");
        expect(value["crc"]).toMatch(/^[0-9a-f]{8}$/);
      }
    });

    it("killed at any byte of its last three lines, goes on to the same bytes", async () => {
      const whole = await write(records);
      const lines = whole.toString("latin1").split("\n").slice(0, -1);
      const start = whole.length - lines.slice(-3).reduce((sum, line) => sum + line.length + 1, 0);
      for (let length = whole.length - 1; length >= start; length--) {
        // From the last byte back: what is there is the whole, or one byte more.
        truncateSync(path(), length);
        const found = await read();
        expect(found).toEqual(records.slice(0, found.length));
        // Every place can be told from reading alone; writing, which waits for the disk, is tried at some.
        if (length % 23 === 0) expect((await write(records.slice(found.length))).equals(whole)).toBe(true);
      }
    });

    it("killed at any byte of its first line, is begun anew", async () => {
      const whole = await write([]);
      for (let length = whole.length - 1; length >= 0; length--) {
        writeFileSync(path(), whole.subarray(0, length));
        expect(await read()).toEqual([]);
        if (length % 23 === 0) expect((await write([])).equals(whole)).toBe(true);
      }
    });

    it("of other work is refused, naming the fact, and not changed", async () => {
      const whole = await write(records);
      for (const fact of Object.keys(identity)) {
        const other = { ...identity, [fact]: "something else" };
        await expect(JournalWriter.open(path(), codec, other)).rejects.toThrow(`${fact}: the file has`);
        await expect(read({ identity: other })).rejects.toThrow(`${fact}: the file has`);
      }
      expect(readFileSync(path()).equals(whole)).toBe(true);
    });

    it("of another kind is refused", async () => {
      await write(records);
      const other = { ...codec, kind: "other" };
      await expect(JournalWriter.open(path(), other, identity)).rejects.toThrow("found a journal of another kind");
    });

    it("with a flipped bit is refused, be it in the last line end", async () => {
      const whole = await write(records.slice(0, 2));
      const file = openSync(path(), "r+");
      for (let at = 0; at < whole.length; at++) {
        writeSync(file, Buffer.from([whole[at]! ^ (1 << (at % 8))]), 0, 1, at);
        await expect(read(), `bit ${at % 8} of byte ${at}`).rejects.toMatchObject({ code: "bad_input" });
        writeSync(file, whole, at, 1, at);
      }
      closeSync(file);
    });

    it("with a line taken out has the others: each line speaks for itself", async () => {
      const lines = (await write(records)).toString().split("\n");
      writeFileSync(path(), [lines[0], ...lines.slice(2)].join("\n"));
      expect(await read()).toEqual(records.slice(1));
    });

    it("is not written behind what another program wrote meanwhile", async () => {
      const journal = await JournalWriter.open(path(), codec, identity);
      await journal.append(records[0]!);
      writeFileSync(path(), "x", { flag: "a" });
      await expect(journal.append(records[1]!)).rejects.toThrow("another program changed it");
      await journal.close();
    });
  });
}
