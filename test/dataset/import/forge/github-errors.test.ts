import { existsSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { firstTimes, startImport } from "../../../fixtures/forge-import.js";
import { useFreshFolder } from "../../../fixtures/fresh-folder.js";
import { type Interception, startGitHubReplay } from "../../../fixtures/github-replay.js";
import * as replies from "../../../fixtures/github-replay-replies.js";
import { REPOSITORY } from "../../../fixtures/github-replay-world.js";

const folder = useFreshFolder();
const out = () => folder.path("out.jsonl");
const kept = () => readFileSync(out(), "utf8").trimEnd().split("\n").length;

it.each([
  ["a bad gateway", replies.badGateway],
  ["a cut connection", () => ({ status: 0, isCut: true })],
])("tries %s again", async (_, reply) => {
  const intercept = firstTimes(1, "/repos/octo-org/hello/contents/", reply);
  await (await startImport(out(), { intercept })).outcome;
  expect(kept()).toBe(3);
});

it("says that there is no such repository", async () => {
  const { outcome } = await startImport(out(), {}, { source: { kind: "github", owner: "octo-org", name: "helo" } });
  await expect(outcome).rejects.toMatchObject({
    code: "bad_input",
    message: expect.stringContaining("Expected a repository octo-org/helo on GitHub, found none (404)"),
  });
  expect(existsSync(`${out()}.partial.jsonl`)).toBe(false);
});

it("says that a token is not accepted, and does not show it", async () => {
  const { outcome } = await startImport(out(), { intercept: replies.badCredentials }, {}, "ghp_secret");
  const error = await outcome.catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: "model_unavailable", message: expect.stringContaining("$GITHUB_TOKEN (401)") });
  expect(String(error)).not.toContain("ghp_secret");
});

it("says what a refusal of the server's is about", async () => {
  const body = { message: "Resource not accessible by personal access token" };
  const { outcome } = await startImport(out(), { intercept: () => ({ status: 403, body }) }, {}, "ghp_1");
  await expect(outcome).rejects.toMatchObject({
    code: "model_unavailable",
    message: expect.stringMatching(/found 403: Resource not accessible .* \$GITHUB_TOKEN may read its contents/),
  });
});

it("says so without a wait when no server can be reached", async () => {
  const gone = await startGitHubReplay(REPOSITORY);
  await gone.stop();
  const messages: string[] = [];
  const onMessage = (message: string) => messages.push(message);
  const access = { apiUrl: gone.url, token: null, signal: new AbortController().signal, onMessage };
  const { outcome } = await startImport(out(), {}, { access });
  await expect(outcome).rejects.toMatchObject({
    code: "model_unavailable",
    message: expect.stringContaining("found no network to it"),
  });
  expect(messages.join("\n")).not.toContain("waiting");
});

it("refuses replies of another shape, naming the field", async () => {
  const intercept: Interception = ({ path }) =>
    path.includes("/pulls?") ? { status: 200, body: [{ number: "three" }] } : null;
  const { outcome } = await startImport(out(), { intercept });
  await expect(outcome).rejects.toThrow(/not a list of pull requests as GitHub documents it at 0\.number/);
});
