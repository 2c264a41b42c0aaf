import { expect, it } from "vitest";
import { MAX_BODY_BYTES } from "../../../../src/model/http/reply-body.js";
import { startForgeImport } from "../../../fixtures/forge-import.js";
import { useFreshFolder } from "../../../fixtures/fresh-folder.js";
import type { Interception } from "../../../fixtures/github-replay.js";

const folder = useFreshFolder();
const start = (intercept: Interception) => startForgeImport("gitlab", folder.path("out.jsonl"), { intercept });

it("leaves out a comment on a file that is too large to be read, and goes on", async () => {
  const body = " ".repeat(MAX_BODY_BYTES + 1);
  const { outcome } = await start(({ path }) => (path.includes("greet.py") ? { status: 200, body } : null));
  expect(await outcome).toMatchObject({ status: "complete", funnel: { kept: { java: 1, python: 1 } } });
});

/** A thread of one comment on line 5 of a file, by `username`. */
function thread(username: string, fields: object = {}): object {
  const position = { head_sha: "a", new_path: "app/greet.py", position_type: "text", new_line: 5 };
  const note = { id: 1, type: "DiffNote", body: "Why?", created_at: "2025-03-03T11:00:00Z", position };
  return { notes: [{ ...note, author: { username }, ...fields }] };
}

/** What the comments of request 3 are dropped for. */
async function dropsOf(...threads: object[]): Promise<Record<string, number>> {
  const { outcome } = await start(({ path }) =>
    path.includes("/discussions") ? { status: 200, body: path.includes("/3/") ? threads : [] } : null,
  );
  const done = await outcome;
  if (done.status !== "complete") throw new Error(done.status);
  return Object.fromEntries(
    done.funnel.drops.map(({ reason, counts }) => [reason, Object.values(counts).reduce((a, b) => a + b)]),
  );
}

it("knows bots by their names, as GitLab and its users call them", async () => {
  const names = ["project_81_bot_0a1b2c", "group_2_bot", "danger-bot", "renovate_bot", "lint[bot]"];
  expect(await dropsOf(...names.map((name) => thread(name)))).toEqual({ "written by a bot": 5 });
  // Their commits are not there: they were read as comments of people.
  expect(await dropsOf(thread("talbot"), thread("bottom"))).toEqual({ "outdated: its commit is gone": 2 });
});

it("counts no notes of GitLab's own, and none that stand on no diff", async () => {
  const none = await dropsOf(
    thread("ada", { system: true }),
    thread("ada", { type: null }),
    thread("ada", { type: "DiscussionNote" }),
  );
  expect(none).toEqual({});
});

it("tells files, deleted lines and places that are not told apart", async () => {
  const position = { head_sha: "a", new_path: "a.py", old_path: "a.py" };
  expect(
    await dropsOf(
      thread("ada", { position: { ...position, position_type: "file" } }),
      thread("ada", { position: { ...position, position_type: "image" } }),
      thread("ada", { position: { ...position, old_line: 3 } }),
      thread("ada", { position: { new_path: "a.py" } }),
      thread("ada", { position: null }),
    ),
  ).toEqual({
    "on a whole file, not on lines": 2,
    "on deleted lines": 1,
    "hunk could not be followed": 1,
    // Without a place there is no file either.
    "in a file of another language": 1,
  });
});
