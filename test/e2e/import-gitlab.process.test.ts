import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readTriples } from "../../src/dataset/triple.js";
import { type CliOptions, runProbe } from "../fixtures/cli.js";
import { collect } from "../fixtures/collect.js";
import { useFreshFolder } from "../fixtures/fresh-folder.js";
import { tooManyRequests } from "../fixtures/github-replay-replies.js";
import { longRepository, REPOSITORY } from "../fixtures/github-replay-world.js";
import { startGitLabReplay } from "../fixtures/gitlab-replay.js";
import { expectResumedImport } from "../fixtures/killed-import.js";

const folder = useFreshFolder();
const SECRET = "glpat-0123456789abcdefghij";

function environment(more: Record<string, string> = {}): CliOptions & { readonly cwd: string } {
  const empty = { GITLAB_TOKEN: "", GITLAB_API_URL: "", CI_API_V4_URL: "", GITHUB_TOKEN: "", GH_TOKEN: "" };
  return { cwd: folder.path(), env: { ...empty, ...more } };
}

const importing = (args: readonly string[], env: Record<string, string>) =>
  runProbe(["dataset", "import", ...args], environment(env));

const read = (name: string) => readFileSync(folder.path(name), "utf8");

describe("probe dataset import gitlab:", () => {
  it("writes raw triples of a project in a subgroup, and prints what became of every comment", async () => {
    const server = await startGitLabReplay({ ...REPOSITORY, fullName: "octo-org/tools/hello" });
    // A token for another forge is none for this one.
    const env = { CI_API_V4_URL: server.url, GITLAB_TOKEN: SECRET, GITHUB_TOKEN: "ghp_other" };
    const { code, stdout, stderr } = await importing(["gitlab:octo-org/tools/hello"], env);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/- resolved without change +│ +1 │/);
    expect(stdout).toMatch(/- changed by a merge commit +│ +1 │/);
    expect(stdout).toContain("3 of 17 inline comments of 4 merged merge requests became raw triples: hello.jsonl");
    expect(readdirSync(folder.path()).sort()).toEqual(["hello.jsonl", "hello.jsonl.source.json"]);
    const lines = await collect(readTriples(folder.path("hello.jsonl")));
    expect(lines.map((line) => line.status === "valid" && line.triple.id)).toEqual(
      ["!3/101", "!3/104", "!8/301"].map((id) => `octo-org/tools/hello${id}`),
    );
    expect(JSON.parse(read("hello.jsonl.source.json"))).toMatchObject({
      source: "gitlab:octo-org/tools/hello",
      license: "mit",
    });
    expect(server.requests.every(({ headers }) => headers["private-token"] === SECRET)).toBe(true);
    expect(JSON.stringify(server.requests)).not.toContain("ghp_other");
    expect(stdout + stderr + read("hello.jsonl") + read("hello.jsonl.source.json")).not.toContain(SECRET);
  });

  it("gives the same bytes when it is killed in the middle and run again", async () => {
    const server = await startGitLabReplay(longRepository(24), { pageSize: 100, delayMs: 4, paging: "x-next-page" });
    const options = environment({ GITLAB_API_URL: server.url });
    await expectResumedImport("gitlab:octo-org/long", "merge requests", { server, options });
  });

  it("does not go on with an import from another forge", async () => {
    const partial = folder.path("mine.jsonl.partial.jsonl");
    // The header, when it began, and one request at least.
    const hasOne = () => existsSync(partial) && readFileSync(partial, "utf8").split("\n").length > 3;
    const body = { message: "insufficient_scope" };
    const server = await startGitLabReplay(REPOSITORY, {
      intercept: ({ path }) => {
        if (!path.includes("/8/")) return null;
        return hasOne() ? { status: 403, body } : tooManyRequests("0.1");
      },
    });
    const args = ["gitlab:octo-org/hello", "--out", "mine.jsonl"];
    const refused = await importing(args, { GITLAB_API_URL: server.url, GITLAB_TOKEN: SECRET });
    expect(refused.code).toBe(3);
    expect(refused.stderr).toMatch(/found 403: insufficient_scope\. Check that the token in \$GITLAB_TOKEN may read/);
    const other = await importing(["github:octo-org/hello", "--out", "mine.jsonl"], { GITHUB_API_URL: server.url });
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining("gitlab:octo-org/hello")]);
  });

  it.each([
    [["gitlab:alone"], {}, 2, /Expected hf:OWNER\/NAME, .* gitlab:GROUP\/PROJECT, .* found "gitlab:alone"/],
    [["gitlab:octo-org/hello", "--skip-invalid"], {}, 2, /Expected --skip-invalid with another kind of source/],
    [["gitlab:octo-org/none"], {}, 2, /Expected a project octo-org\/none on GitLab, found none \(404\)/],
    [["gitlab:o/p"], { GITLAB_API_URL: "http://me:pw@127.0.0.1:1" }, 2, /a plain address .* in \$GITLAB_API_URL/],
    [
      ["gitlab:o/p"],
      { GITLAB_API_URL: "http://127.0.0.1:1" },
      3,
      /Expected to reach GitLab at http:\/\/127\.0\.0\.1:1/,
    ],
  ])("refuses %j with %j", async (args, env, expected, says) => {
    const server = await startGitLabReplay(REPOSITORY);
    const { code, stderr, stdout } = await importing(args, { GITLAB_API_URL: server.url, ...env });
    expect([code, stdout, stderr]).toEqual([expected, "", expect.stringMatching(says)]);
    expect(readdirSync(folder.path())).toEqual([]);
  });
});
