import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { datasetsFolder } from "../../../src/base/folders.js";
import { hubAccess } from "../../../src/dataset/import/hub-access.js";
import { cachedDataset } from "../../../src/dataset/import/hub-cache.js";
import { type HubSource, parseImportSource } from "../../../src/dataset/import/import-source.js";
import { useFreshFolder } from "../../fixtures/fresh-folder.js";
import { COMMITS, datasetWith, RECORDS } from "../../fixtures/hub-datasets.js";
import { type ReplayDataset, startHubReplay } from "../../fixtures/hub-replay.js";

const folder = useFreshFolder();

async function start(dataset: Partial<ReplayDataset> = {}) {
  const hub = await startHubReplay(datasetWith(dataset));
  const messages: string[] = [];
  const get = (name: string) => {
    const signal = new AbortController().signal;
    const access = hubAccess({ signal, onMessage: (text) => messages.push(text) }, { HF_ENDPOINT: hub.url });
    return cachedDataset(parseImportSource(name) as HubSource, access, () => new Date(), folder.path());
  };
  return { hub, messages, get };
}

const PINNED = `hf:octo-org/Reviews@${COMMITS.main}/Reviews.jsonl`;

it("fetches a commit's file once", async () => {
  const { hub, get } = await start();
  const first = await get("hf:octo-org/Reviews");
  expect(first.source).toBe(PINNED);
  expect(readFileSync(first.path, "utf8")).toBe(RECORDS);
  expect(await get("hf:octo-org/Reviews")).toEqual(first);
  expect(hub.downloads()).toBe(1);
});

it("needs no network for a commit it has, by its full name or without the file", async () => {
  const { hub, get } = await start();
  const first = await get("hf:octo-org/Reviews");
  await hub.stop();
  expect(await get(PINNED)).toEqual(first);
  expect(await get(`hf:octo-org/Reviews@${COMMITS.main}`)).toEqual(first);
});

it("uses the commit a branch last was when there is no network, and says so", async () => {
  const { hub, messages, get } = await start();
  const first = await get("hf:octo-org/Reviews");
  await hub.stop();
  expect(await get("hf:octo-org/Reviews")).toEqual(first);
  expect(messages.at(-1)).toMatch(
    /cannot be asked what hf:octo-org\/Reviews@main is now; using the copy of commit a{12}/,
  );
});

it("fails without a copy and without a network", async () => {
  const { hub, get } = await start();
  await hub.stop();
  await expect(get("hf:octo-org/Reviews")).rejects.toMatchObject({ code: "model_unavailable" });
  await expect(get(PINNED)).rejects.toMatchObject({ code: "model_unavailable" });
});

it("follows a branch to its new commit, and keeps the old one", async () => {
  const revisions: Record<string, string> = { main: COMMITS.main };
  const { get } = await start({ revisions });
  const old = await get("hf:octo-org/Reviews");
  revisions["main"] = COMMITS.next;
  const fresh = await get("hf:octo-org/Reviews");
  expect(fresh.source).toContain(COMMITS.next);
  expect(fresh.path).not.toBe(old.path);
  expect(await get(PINNED)).toEqual(old);
});

it("fetches a copy again that was changed or lost its description", async () => {
  const { hub, get } = await start();
  const { path } = await get("hf:octo-org/Reviews");
  // As long as before: the hash tells.
  writeFileSync(path, RECORDS.replace("one", "eno"));
  await get("hf:octo-org/Reviews");
  expect(readFileSync(path, "utf8")).toBe(RECORDS);
  writeFileSync(`${path}.source.json`, "{}");
  await get("hf:octo-org/Reviews");
  expect(hub.downloads()).toBe(3);
});

it("asks again about a file that it did not hear of before", async () => {
  const { get } = await start({ files: { "a.jsonl": { content: RECORDS }, "data.json": { content: RECORDS } } });
  await get("hf:octo-org/Reviews");
  const { source } = await get(`hf:octo-org/Reviews@${COMMITS.main}/data.json`);
  expect(source).toBe(`hf:octo-org/Reviews@${COMMITS.main}/data.json`);
});

it("keeps datasets where the environment says", () => {
  expect(datasetsFolder({ PROBE_DATASETS_DIR: "/d", XDG_CACHE_HOME: "/c" })).toBe("/d");
  expect(datasetsFolder({ XDG_CACHE_HOME: "/c" })).toBe(join("/c", "code-review-probe", "datasets"));
  expect(datasetsFolder({})).toMatch(/[\\/]\.cache[\\/]code-review-probe[\\/]datasets$/);
});
