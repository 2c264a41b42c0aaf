import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type HubAccess, hubAccess } from "../../../src/dataset/import/hub-access.js";
import { importFromHub } from "../../../src/dataset/import/hub-import.js";
import { type HubSource, parseImportSource } from "../../../src/dataset/import/import-source.js";
import { useFreshFolder } from "../../fixtures/fresh-folder.js";
import { COMMITS, datasetWith, RECORDS } from "../../fixtures/hub-datasets.js";
import { type HubInterception, type HubReplay, type ReplayDataset, startHubReplay } from "../../fixtures/hub-replay.js";

const folder = useFreshFolder();
const out = () => folder.path("out.jsonl");
const NOW = new Date("2025-06-01T00:00:00Z");

interface Started {
  readonly hub: HubReplay;
  readonly messages: string[];
  readonly run: (name: string, token?: string) => ReturnType<typeof importFromHub>;
}

async function start(dataset: Partial<ReplayDataset> = {}, intercept?: HubInterception): Promise<Started> {
  const hub = await startHubReplay(datasetWith(dataset), intercept);
  const messages: string[] = [];
  const run = (name: string, token = "") => {
    const environment = { HF_ENDPOINT: `${hub.url}/`, HF_TOKEN: token };
    const given: Pick<HubAccess, "signal" | "onMessage"> = {
      signal: new AbortController().signal,
      onMessage: (message) => messages.push(message),
    };
    return importFromHub(parseImportSource(name) as HubSource, out(), hubAccess(given, environment), NOW);
  };
  return { hub, messages, run };
}

describe("importFromHub", () => {
  it("fetches the only JSONL file, at the commit of main, and writes where it came from", async () => {
    const { run } = await start();
    const description = {
      source: "hf:octo-org/Reviews",
      revision: COMMITS.main,
      file: "Reviews.jsonl",
      sha256: createHash("sha256").update(RECORDS).digest("hex"),
      bytes: Buffer.byteLength(RECORDS),
      retrieved_at: "2025-06-01T00:00:00.000Z",
      license: "mit",
    };
    expect(await run("hf:octo-org/Reviews")).toEqual(description);
    expect(readFileSync(out(), "utf8")).toBe(RECORDS);
    expect(JSON.parse(readFileSync(`${out()}.source.json`, "utf8"))).toEqual(description);
    expect(readdirSync(folder.path())).toEqual(["out.jsonl", "out.jsonl.source.json"]);
  });

  it("names no licence where the card leaves it empty", async () => {
    const { run } = await start({ license: null });
    expect(await run("hf:octo-org/Reviews")).not.toHaveProperty("license");
  });

  it("asks for everything else by the commit, not by the branch that may move", async () => {
    const { hub, run } = await start({ revisions: { "refs/pr/1": COMMITS.next } });
    await run("hf:octo-org/Reviews@refs%2Fpr%2F1/Reviews.jsonl");
    const paths = hub.requests.map(({ path }) => path);
    expect(paths[0]).toMatch(/\/revision\/refs%2Fpr%2F1\?/);
    expect(paths.slice(1).every((path) => path.includes(COMMITS.next))).toBe(true);
  });

  it("checks a small file by its git hash, and finds names with blanks and hashes", async () => {
    const { run } = await start({ files: { "data/my set #1.jsonl": { content: "{}\n" } } });
    expect(await run("hf:octo-org/Reviews/data/my set #1.jsonl")).toMatchObject({ file: "data/my set #1.jsonl" });
    expect(readFileSync(out(), "utf8")).toBe("{}\n");
  });

  it("sends the token, and fetches what is gated with it", async () => {
    const { hub, run } = await start({ gatedFor: "hf_mine" });
    await run("hf:octo-org/Reviews", "hf_mine");
    expect(hub.requests.every(({ headers }) => headers.authorization === "Bearer hf_mine")).toBe(true);
  });

  it("tries passing faults again, and waits as long as it is asked to", async () => {
    const faults = [{ status: 429, headers: { "retry-after": "1" } }, null, { status: 503 }];
    const { messages, run } = await start({}, (_, count) => faults[count - 1] ?? null);
    await run("hf:octo-org/Reviews");
    expect(messages).toEqual([
      "Asking the hub again in 1 s: it answered 429.",
      "Asking the hub again in 1 s: it answered 503.",
    ]);
  });
});

describe("importFromHub refuses", () => {
  it("a file that is not what the hub told of it, and keeps what was there", async () => {
    writeFileSync(out(), "mine");
    const { hub, run } = await start({
      files: { "Reviews.jsonl": { content: RECORDS, isLarge: true, listedSha256: "0".repeat(64) } },
    });
    await expect(run("hf:octo-org/Reviews")).rejects.toMatchObject({
      code: "model_unavailable",
      message: expect.stringMatching(/found it damaged 3 times: expected SHA-256 0{64}, found [0-9a-f]{64}/),
    });
    expect(hub.downloads()).toBe(3);
    expect(readFileSync(out(), "utf8")).toBe("mine");
    expect(readdirSync(folder.path())).toEqual(["out.jsonl"]);
  });

  it("a choice of several files, naming them", async () => {
    const { run } = await start({ files: { "a.jsonl": { content: "" }, "b.jsonl": { content: "" } } });
    await expect(run("hf:octo-org/Reviews")).rejects.toMatchObject({
      code: "bad_input",
      message: expect.stringMatching(/found 2\. Name one: hf:octo-org\/Reviews\/FILE\. .* a\.jsonl, b\.jsonl\./),
    });
  });

  it("a file that is not there, naming the nearest first", async () => {
    const { run } = await start({ files: { "test.jsonl": { content: "" }, "train.jsonl": { content: "" } } });
    await expect(run("hf:octo-org/Reviews/tran.jsonl")).rejects.toThrow(
      "Expected a file tran.jsonl in the dataset octo-org/Reviews, found none. Its JSONL files: train.jsonl, test.jsonl.",
    );
  });

  it("a dataset without JSONL", async () => {
    const { run } = await start({ files: { "data.parquet": { content: "PAR1" } } });
    await expect(run("hf:octo-org/Reviews")).rejects.toThrow(/Expected a \.jsonl file .* found none/);
  });

  it("a name that stands for nothing, with near ones", async () => {
    const { run } = await start({ siblings: ["octo-org/Poems"] });
    await expect(run("hf:octo-org/Review")).rejects.toMatchObject({
      code: "bad_input",
      message: expect.stringMatching(/found none \(404\).* Did you mean octo-org\/Reviews\?$/),
    });
  });

  it("a revision that there is not", async () => {
    const { run } = await start();
    await expect(run("hf:octo-org/Reviews@v9")).rejects.toMatchObject({
      code: "bad_input",
      message: expect.stringContaining('found no "v9" there'),
    });
  });

  it("a gated dataset without a token, saying what to do", async () => {
    const { hub, run } = await start({ gatedFor: "hf_mine" });
    await expect(run("hf:octo-org/Reviews")).rejects.toMatchObject({
      code: "model_unavailable",
      message: expect.stringContaining(`accept its conditions at ${hub.url}/datasets/octo-org/Reviews`),
    });
    expect(existsSync(out())).toBe(false);
  });

  it("a gated dataset for a token that may not, without showing it", async () => {
    const { run } = await start({ gatedFor: "hf_mine" });
    const error = await run("hf:octo-org/Reviews", "hf_other").catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "model_unavailable", message: expect.stringContaining("$HF_TOKEN") });
    expect(String(error)).not.toContain("hf_other");
  });

  it("to go on without a network, without a wait, with the ways on", async () => {
    const { hub, messages, run } = await start();
    await hub.stop();
    await expect(run("hf:octo-org/Reviews")).rejects.toMatchObject({
      code: "model_unavailable",
      message: expect.stringMatching(/found no network .* \(1\) .* \(2\) .*HF_ENDPOINT.* \(3\) /),
    });
    expect(messages.join("\n")).not.toContain("waiting");
  });
});

describe("hubAccess", () => {
  const given = { signal: new AbortController().signal, onMessage: () => {} };

  it("refuses what is no token of the hub's, without showing it", () => {
    expect(() => hubAccess(given, { HF_TOKEN: "sk-secret" })).toThrow(/\$HF_TOKEN \(they begin with hf_\)/);
    expect(() => hubAccess(given, { HF_TOKEN: "sk-secret" })).not.toThrow("secret");
  });

  it("refuses an address that is none", () => {
    expect(() => hubAccess(given, { HF_ENDPOINT: "ftp://mirror" })).toThrow(/\$HF_ENDPOINT/);
  });

  it("uses the public hub, and another variable for the token when one is named", () => {
    const access = hubAccess({ ...given, tokenVariable: "MY_TOKEN" }, { MY_TOKEN: "hf_1", HF_TOKEN: "hf_2" });
    expect(access).toMatchObject({ url: "https://huggingface.co", token: { variable: "MY_TOKEN", secret: "hf_1" } });
  });
});
