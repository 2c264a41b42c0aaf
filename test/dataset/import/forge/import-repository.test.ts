import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { accessOf, firstTimes, startImport } from "../../../fixtures/forge-import.js";
import { useFreshFolder } from "../../../fixtures/fresh-folder.js";
import { type ReplayOptions, startGitHubReplay } from "../../../fixtures/github-replay.js";
import * as replies from "../../../fixtures/github-replay-replies.js";
import { GREET, GREET_ANSWERED, longRepository, sha } from "../../../fixtures/github-replay-world.js";

const folder = useFreshFolder();
const out = () => folder.path("out.jsonl");

function triples(): Record<string, string>[] {
  const lines = readFileSync(out(), "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as Record<string, string>);
}

const ids = () => triples().map(({ id }) => id);

describe("what is kept", () => {
  it("is the hunk at the comment and at the first commit that answered it", async () => {
    await (await startImport(out())).outcome;
    // Lines 2 to 11, without the blank ones at both ends: 4 to 9.
    expect(triples()[0]).toEqual({
      id: "octo-org/hello#3/101",
      language: "python",
      pre_review_code: GREET.slice(3, 9).join("\n"),
      code_review: "Please use an f-string here.",
      // Not the fourth commit's, which changed line 9 as well.
      post_review_code: GREET_ANSWERED.slice(3, 9).join("\n"),
      repo: "octo-org/hello",
      source: "https://github.com/octo-org/hello/pull/3#discussion_r101",
      license: "MIT",
      path: "app/greet.py",
      pre_review_commit: sha("a"),
      post_review_commit: sha("c"),
    });
    expect(ids()).toEqual(["octo-org/hello#3/101", "octo-org/hello#3/104", "octo-org/hello#8/301"]);
  });

  it("follows a commit that a force push replaced into the merged state", async () => {
    await (await startImport(out())).outcome;
    expect(triples()[2]).toMatchObject({ pre_review_commit: sha("x"), post_review_commit: sha("y") });
    expect(triples()[2]?.["post_review_code"]).toMatch(/var v39 = 0\nvar extra = 1\nvar v40 = 40$/);
  });
});

describe("what is dropped", () => {
  const ONE_OF_EACH = {
    "a reply in a thread": 1,
    "written by a bot": 1,
    "without text": 1,
    "on a whole file, not on lines": 1,
    "in a file of another language": 1,
    "on deleted lines": 1,
    "hunk could not be followed": 1,
    "outdated when written": 1,
    "outdated: its commit is gone": 1,
    "changed by a merge commit": 1,
    "file deleted or renamed": 1,
    "file not readable as text": 1,
  };

  async function drops(options: ReplayOptions, token: string | null): Promise<Record<string, number>> {
    const done = await (await startImport(out(), options, {}, token)).outcome;
    if (done.status !== "complete") throw new Error(done.status);
    expect(done.funnel.kept).toEqual({ java: 1, python: 2 });
    return Object.fromEntries(
      done.funnel.drops.map(({ reason, counts }) => [reason, Object.values(counts).reduce((a, b) => a + b)]),
    );
  }

  it("is counted by reason; with a token, resolved threads are told apart", async () => {
    const expected = { ...ONE_OF_EACH, "resolved without change": 1, "no change followed": 1 };
    expect(await drops({}, "ghp_1")).toEqual(expected);
  });

  it("is counted without a token, or where there is no GraphQL, as not followed by a change", async () => {
    const expected = { ...ONE_OF_EACH, "no change followed": 2 };
    expect(await drops({}, null)).toEqual(expected);
    expect(await drops({ hasGraphql: false }, "ghp_1")).toEqual(expected);
  });
});

describe("which pull requests", () => {
  it.each([
    // Merged: 3 and 5 on the 3rd of March, 8 and 9 on the 4th; 7 was closed without a merge.
    ["all merged ones", {}, 4, ["#3/101", "#3/104", "#8/301"]],
    ["those merged since a day", { since: new Date("2025-03-04T00:00:00Z") }, 2, ["#8/301"]],
    ["those merged before a day", { until: new Date("2025-03-04T00:00:00Z") }, 2, ["#3/101", "#3/104"]],
    ["the first so many", { maxPulls: 1 }, 1, ["#3/101", "#3/104"]],
    ["none merged after the import began", { now: () => new Date("2025-03-03T12:00:00Z") }, 0, []],
  ])("reads %s", async (_, asked, pulls, kept) => {
    const done = await (await startImport(out(), {}, asked)).outcome;
    expect(done).toMatchObject({ status: "complete", pulls });
    const text = readFileSync(out(), "utf8");
    expect(text.match(/#\d+\/\d+/g) ?? []).toEqual(kept);
  });

  it("reads every page of every list, a hundred items each at most", async () => {
    const { server, outcome } = await startImport(out(), { pageSize: 1 });
    await outcome;
    expect(ids()).toHaveLength(3);
    const lists = server.requests.filter(({ path }) => /\/(pulls|comments|commits)\?/.test(path));
    // 5 pull requests; comments 4 + 12 + 1 + 1 (an empty page); commits 4 + 4 + 1, of those that need them.
    expect(lists).toHaveLength(5 + 18 + 9);
    expect(lists.every(({ path }) => path.includes("per_page=100"))).toBe(true);
  });
});

it("keeps what was read, and goes on from there to the same bytes", async () => {
  await (await startImport(out())).outcome;
  const expected = readFileSync(out());
  const again = folder.path("again.jsonl");
  const failing = firstTimes(1, "/repos/octo-org/hello/pulls/8/comments", replies.badCredentials);
  const first = await startImport(again, { intercept: failing, delayMs: 2 });
  await expect(first.outcome).rejects.toThrow(/token/);
  expect(existsSync(again)).toBe(false);
  const second = await startImport(again, {}, { access: accessOf(first.server.url) });
  expect(await second.outcome).toMatchObject({ status: "complete", pulls: 4 });
  expect(readFileSync(again)).toEqual(expected);
  expect(existsSync(`${again}.partial.jsonl`)).toBe(false);
});

it("holds no more than a few requests under way, however many pull requests there are", async () => {
  const server = await startGitHubReplay(longRepository(60), { pageSize: 100, delayMs: 3 });
  const source = { kind: "github", owner: "octo-org", name: "long" } as const;
  const asked = { source, access: accessOf(server.url) };
  const done = await (await startImport(out(), {}, asked)).outcome;
  expect(done).toMatchObject({ status: "complete", pulls: 60 });
  expect(ids()).toEqual(Array.from({ length: 60 }, (_, i) => `octo-org/long#${i + 1}/${1001 + i}`));
  expect(server.connections.opened).toBeLessThanOrEqual(5);
});

it("is refused while another process imports to the same file", async () => {
  writeFileSync(`${out()}.partial.jsonl.lock`, `${process.ppid}\n`);
  await expect((await startImport(out())).outcome).rejects.toThrow(`in use by process ${process.ppid}`);
  expect(existsSync(`${out()}.partial.jsonl`)).toBe(false);
});
