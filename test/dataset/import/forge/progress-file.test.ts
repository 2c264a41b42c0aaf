import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { DROP } from "../../../../src/dataset/import/forge/forge.js";
import {
  type ImportParameters,
  ProgressFile,
  type PullRecord,
} from "../../../../src/dataset/import/forge/import-progress.js";
import type { CommentOutcome } from "../../../../src/dataset/import/forge/import-request.js";
import { collect } from "../../../fixtures/collect.js";
import { useFreshFolder } from "../../../fixtures/fresh-folder.js";

const folder = useFreshFolder();
const PARAMETERS: ImportParameters = {
  source: "github:octo-org/hello",
  api: "https://api.github.com",
  since: null,
  until: null,
  max_pulls: null,
};
const BEGUN = new Date("2025-03-03T10:00:00Z");
const LATER = new Date("2025-03-04T10:00:00Z");

function kept(id: string): CommentOutcome {
  const triple = {
    id,
    language: "go",
    pre_review_code: "a",
    code_review: "é?",
    post_review_code: "b",
    repo: "octo-org/hello",
    source: "https://github.com/octo-org/hello",
    path: "a.go",
    pre_review_commit: "1",
    post_review_commit: "2",
  } as const;
  return { status: "kept", triple };
}

const DROPPED: CommentOutcome = { status: "dropped", language: null, reason: DROP.language };

const open = (parameters = PARAMETERS, now = BEGUN) => ProgressFile.open(folder.path("out.jsonl"), parameters, now);
const path = () => folder.path("out.jsonl.partial.jsonl");

async function recordsOf(file: ProgressFile): Promise<PullRecord[]> {
  return collect(file.records());
}

it("gives back what was recorded, by number, and keeps when it began", async () => {
  const first = await open();
  await first.add(12, [kept("twelve"), DROPPED]);
  await first.add(3, []);
  await first.close();
  const second = await open(PARAMETERS, LATER);
  await second.add(7, [kept("seven")]);
  expect(second.startedAt).toEqual(BEGUN);
  expect([second.count, second.has(3), second.has(4)]).toEqual([3, true, false]);
  const records = await recordsOf(second);
  expect(records.map(({ pull, triples }) => [pull, triples.map(({ id }) => id)])).toEqual([
    [3, []],
    [7, ["seven"]],
    [12, ["twelve"]],
  ]);
  expect(records[2]?.drops).toEqual([{ language: null, reason: DROP.language }]);
});

it("drops a last line that a kill tore at any byte, and goes on behind the one before", async () => {
  const first = await open();
  await first.add(1, [kept("one")]);
  const whole = readFileSync(path());
  await first.add(2, [kept("two")]);
  const both = readFileSync(path());
  await first.close();
  for (let length = whole.length; length < both.length; length += 7) {
    writeFileSync(path(), both.subarray(0, length));
    const resumed = await open();
    expect(resumed.has(2)).toBe(false);
    await resumed.add(2, [kept("two")]);
    expect(readFileSync(path())).toEqual(both);
    await resumed.close();
  }
});

it("begins anew where the header itself was torn", async () => {
  await (await open()).close();
  writeFileSync(path(), readFileSync(path()).subarray(0, 20));
  const later = await open(PARAMETERS, LATER);
  expect(later.startedAt).toEqual(LATER);
  await later.close();
  expect((await open()).startedAt).toEqual(LATER);
});

it("refuses another import's progress, naming every difference, and leaves it", async () => {
  const first = await open();
  await first.add(1, []);
  await first.close();
  const before = readFileSync(path());
  const other = open({ ...PARAMETERS, since: "2025-01-01T00:00:00.000Z", max_pulls: 5 });
  await expect(other).rejects.toThrow(
    /since: the file has null, this command "2025-01-01T00:00:00\.000Z"\n +max_pulls: the file has null, this command 5\n/,
  );
  expect(readFileSync(path())).toEqual(before);
});

it("refuses a file that is something else, naming the line", async () => {
  await (await open()).close();
  appendFileSync(path(), "{}\n");
  await expect(open()).rejects.toThrow(
    /jsonl:3: expected a pull request of an unfinished import, found a damaged line/,
  );
  writeFileSync(path(), "mine\n");
  await expect(open()).rejects.toThrow(/Expected what an unfinished import left at .*, found another first line: mine/);
});

it("is gone, with its lock, once the import has ended and it is closed", async () => {
  const file = await open();
  file.end();
  expect(existsSync(path())).toBe(true);
  await file.close();
  expect([existsSync(path()), existsSync(`${path()}.lock`)]).toEqual([false, false]);
});
