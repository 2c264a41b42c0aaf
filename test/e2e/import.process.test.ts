import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readTriples } from "../../src/dataset/triple.js";
import { type CliOptions, type CliResult, runProbe, startProbe } from "../fixtures/cli.js";
import { collect } from "../fixtures/collect.js";
import { useFreshFolder } from "../fixtures/fresh-folder.js";
import { startGitHubReplay } from "../fixtures/github-replay.js";
import { rateLimited } from "../fixtures/github-replay-replies.js";
import { longRepository, REPOSITORY } from "../fixtures/github-replay-world.js";
import { expectResumedImport, until } from "../fixtures/killed-import.js";

const folder = useFreshFolder();
const SECRET = "ghp_0123456789abcdefghijklmnopqrstuvwxyz";

function environment(more: Record<string, string> = {}): CliOptions & { readonly cwd: string } {
  const empty = { GITHUB_TOKEN: "", GH_TOKEN: "", HF_TOKEN: "", PROBE_DATASETS_DIR: folder.path("cache") };
  return { cwd: folder.path(), env: { ...empty, ...more } };
}

const importing = (args: readonly string[], env: Record<string, string>): Promise<CliResult> =>
  runProbe(["dataset", "import", ...args], environment(env));

const read = (name: string) => readFileSync(folder.path(name), "utf8");

describe("probe dataset import github:", () => {
  it("writes raw triples that the other commands read, and prints what became of every comment", async () => {
    const server = await startGitHubReplay(REPOSITORY);
    const env = { GITHUB_API_URL: server.url, GITHUB_TOKEN: SECRET };
    const { code, stdout, stderr } = await importing(["github:octo-org/hello"], env);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/read +│ +17 │/);
    expect(stdout).toMatch(/- written by a bot +│ +1 │/);
    expect(stdout).toMatch(/- resolved without change +│ +1 │/);
    expect(stdout).toMatch(/- outdated when written +│ +1 │/);
    expect(stdout).toMatch(/kept +│ +3 │/);
    expect(stdout).toContain("3 of 17 inline comments of 4 merged pull requests became raw triples: hello.jsonl");
    expect(readdirSync(folder.path()).sort()).toEqual(["hello.jsonl", "hello.jsonl.source.json"]);
    const lines = await collect(readTriples(folder.path("hello.jsonl")));
    expect(lines.map((line) => line.status === "valid" && line.form)).toEqual(["raw", "raw", "raw"]);
    expect(JSON.parse(read("hello.jsonl.source.json"))).toMatchObject({
      source: "github:octo-org/hello",
      license: "MIT",
    });
    expect(server.requests.every(({ headers }) => headers.authorization === `token ${SECRET}`)).toBe(true);
    expect(stdout + stderr + read("hello.jsonl") + read("hello.jsonl.source.json")).not.toContain(SECRET);
  });

  it("gives the same bytes when it is killed in the middle and run again", async () => {
    const server = await startGitHubReplay(longRepository(24), { pageSize: 100, delayMs: 4 });
    const options = environment({ GITHUB_API_URL: server.url });
    await expectResumedImport("github:octo-org/long", "pull requests", { server, options });
  });

  it("stops at an interrupt with exit code 130, while it waits for a limit to lift, and goes on later", async () => {
    let isLimited = true;
    const intercept = ({ path }: { path: string }) =>
      isLimited && path.includes("/pulls/8/") ? rateLimited(3600) : null;
    const server = await startGitHubReplay(REPOSITORY, { intercept });
    const env = { GITHUB_API_URL: server.url };
    const args = ["dataset", "import", "github:octo-org/hello", "--out", "mine.jsonl"];
    const { child, result } = startProbe(args, environment(env));
    const partial = folder.path("mine.jsonl.partial.jsonl");
    // The header, when it began, and the three other pull requests.
    await until(() => existsSync(partial) && readFileSync(partial, "utf8").split("\n").length === 6);
    await until(() => server.requests.some(({ path }) => path.includes("/pulls/8/")));
    child.kill("SIGINT");
    const { code, stderr } = await result;
    expect(code).toBe(130);
    expect(stderr).toMatch(/GitHub: the hourly limit is used up; waiting (60|61) min, until \d\d:\d\d:\d\d UTC/);
    expect(stderr).toMatch(/Stopped after 3 pull requests, .* The same command goes on\./);
    const other = await runProbe([...args, "--max-pulls", "2"], environment(env));
    expect([other.code, other.stderr]).toEqual([
      2,
      expect.stringContaining("max_pulls: the file has null, this command 2"),
    ]);
    isLimited = false;
    const done = await runProbe([...args, "--json"], environment(env));
    expect(JSON.parse(done.stdout)).toMatchObject({
      out: "mine.jsonl",
      pulls: 4,
      funnel: { kept: { python: 2, java: 1 } },
    });
  });

  it("does not replace a file unless it is told to", async () => {
    const server = await startGitHubReplay(REPOSITORY);
    const env = { GITHUB_API_URL: server.url };
    writeFileSync(folder.path("hello.jsonl"), "mine");
    const refused = await importing(["github:octo-org/hello"], env);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("add --overwrite to replace it")]);
    expect([read("hello.jsonl"), server.requests.length]).toEqual(["mine", 0]);
    const { code } = await importing(["github:octo-org/hello", "--overwrite", "--since", "2025-03-04"], env);
    expect([code, read("hello.jsonl").split("\n").length]).toEqual([0, 2]);
  });

  it.each([
    [["gitlab:alone"], 2, /Expected hf:OWNER\/NAME, .* found "gitlab:alone"/],
    [["github:octo-org/hello", "--since", "2025-02-30"], 2, /Expected a day such as 2025-01-31 for --since/],
    [
      ["github:octo-org/hello", "--since", "2025-02-03", "--until", "2025-02-01"],
      2,
      /--since to be no later than --until/,
    ],
    [["github:octo-org/hello", "--max-pulls", "0"], 2, /at least 1 for --max-pulls/],
    [["github:octo-org/hello", "--api-key-env", "NOT_SET"], 2, /Expected a token in the environment variable NOT_SET/],
    [["hf:o/n", "--since", "2025-01-01"], 2, /Expected --since with another kind of source, found it with an hf: one/],
    [["github:octo-org/nothing"], 2, /Expected a repository octo-org\/nothing on GitHub, found none \(404\)/],
  ])("refuses %j with exit code %i", async (args, expected, says) => {
    const server = await startGitHubReplay(REPOSITORY);
    const { code, stderr, stdout } = await importing(args, { GITHUB_API_URL: server.url });
    expect([code, stdout]).toEqual([expected, ""]);
    expect(stderr).toMatch(says);
    expect(readdirSync(folder.path())).toEqual([]);
  });
});
