import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { viewRoutes } from "../../../src/cli/view/view-handler.js";
import { WatchedRuns } from "../../../src/cli/view/watched-runs.js";
import { localApp } from "../../../src/serve/serve-until-interrupted.js";
import { SUITES } from "../../../src/suites/registry.js";
import { runProbe } from "../../fixtures/cli.js";
import { temporaryFolder } from "../../fixtures/temporary-folder.js";

const HOST = "127.0.0.1:4000";
const folder = temporaryFolder();
const made = temporaryFolder();
const at = (name: string) => join(folder, name);

let runs: WatchedRuns;
let ask: (path: string, headers?: Record<string, string>) => Promise<Response>;

/** The page of runs, once all that can be read was read. */
async function readPage(): Promise<string> {
  const page = async () => (await ask("")).text();
  await expect.poll(page).not.toContain("Reading its answers");
  return await page();
}

/** A copy of the run under another name, its record changed. */
function copy(name: string, change: Record<string, unknown> = {}, source = "oracle"): void {
  cpSync(join(made, source), at(name), { recursive: true });
  const run = JSON.parse(readFileSync(at(`${name}/run.json`), "utf8")) as Record<string, unknown>;
  // Without its checksum: one that was changed by hand is damaged.
  writeFileSync(at(`${name}/run.json`), JSON.stringify({ ...run, run_id: name, ...change, crc: undefined }));
}

const keyOf = (page: string, name: string) =>
  new RegExp(`value="([0-9a-f]{16})"(?:(?!value=)[^])*<span class="mono">[^<]*/${name}</span>`).exec(page)?.[1] ?? "";

beforeAll(async () => {
  const options = ["--task", "CTR,CL", "--limit", "2", "-q"];
  for (const model of ["oracle", "always-A"]) {
    const run = await runProbe(["run", "--model", `scripted:${model}`, ...options, "--out", join(made, model)]);
    expect(run.code).toBe(0);
  }
  const fewer = ["--orders", "cyclic", "--out", join(made, "cyclic")];
  expect((await runProbe(["run", "--model", "scripted:oracle", ...options, ...fewer])).code).toBe(0);
});

beforeEach(async () => {
  runs = new WatchedRuns({ suites: SUITES, folders: [folder], now: () => new Date() });
  const app = localApp({ command: "probe view", routes: await viewRoutes(SUITES, runs) }, "t");
  ask = async (path, headers = {}) =>
    await app.request(`http://${HOST}/t/${path}`, { headers: { host: HOST, ...headers } });
});

afterEach(() => {
  runs.close();
  for (const name of readdirSync(folder)) rmSync(at(name), { recursive: true });
});

describe("the page of runs", () => {
  it("shows the runs at once, the newest first, and what they came to when that was read", async () => {
    copy("old", { times: { ...timesOf("oracle"), created_at: "2026-01-02T03:04:05.000Z" } });
    copy("new", {}, "always-A");
    const first = await (await ask("")).text();
    expect(first.split("Reading its answers")).toHaveLength(3);
    expect(first.indexOf("scripted:always-A")).toBeLessThan(first.indexOf("scripted:oracle"));
    expect(first).toContain("2026-01-02 03:04");
    const page = await readPage();
    const scores = [...page.matchAll(/class="form">([^<]*)<\/span> <b>([^<]*)/g)].map(([, form, score]) => [
      form,
      score,
    ]);
    // always-A reads nothing: it is right under all orders of no question.
    expect(scores).toEqual([
      ["CTR", "0.0 %"],
      ["CL easy", "0.0 %"],
      ["CL hard", "0.0 %"],
      ["CTR", "100.0 %"],
      ["CL easy", "100.0 %"],
      ["CL hard", "100.0 %"],
    ]);
  });

  it("names scores over fewer orders with their number, and questions by their form alone", async () => {
    copy("cyclic", {}, "cyclic");
    const page = await readPage();
    // Cyclic: as many orders as options, 3 of 3! or 4 of 4!.
    expect([...page.matchAll(/class="form">([^<]*)/g)].map(([, form]) => form)).toEqual([
      "CTR, 3 of 6 orders",
      "CL easy, 4 of 24 orders",
      "CL hard, 4 of 24 orders",
    ]);
    expect([...page.matchAll(/<option>([^<]*)/g)].map(([, form]) => form)).toEqual(["CTR", "CL easy", "CL hard"]);
  });

  it("lists what cannot be read with the reason, and goes on with the rest", async () => {
    copy("whole");
    copy("torn");
    truncateSync(at("torn/run.json"), 10);
    copy("damaged");
    writeFileSync(at("damaged/answers.jsonl"), "no journal\n");
    mkdirSync(at("folder/run.json"), { recursive: true });
    copy("stranger", { suite: "chess" });
    const page = await readPage();
    const problems = [...page.matchAll(/<p class="name mono">([^<]*)<\/p><p class="problem lines">([^<]*)/g)];
    const reasons = Object.fromEntries(
      problems.map(([, name = "", reason]) => [name.slice(folder.length + 1), reason]),
    );
    expect(reasons).toEqual({
      torn: expect.stringContaining("to be a run of schema version 1, found"),
      damaged: expect.stringContaining("answers.jsonl, found another first line: no journal"),
      folder: expect.stringContaining("EISDIR"),
      stranger: expect.stringMatching(/^Expected a suite \(codereviewqa, .*\), found &quot;chess&quot;/),
    });
    expect(page).toContain("5 runs · 4 cannot be read");
    expect((await ask(`report?run=${keyOf(page, "whole")}`)).status).toBe(200);
  });

  it("shows how far a run is that goes on, and what it came to when it has ended", async () => {
    copy("going");
    const journal = readFileSync(at("going/answers.jsonl"), "utf8").split("\n");
    const write = (lines: number) =>
      writeFileSync(at("going/answers.jsonl"), `${journal.slice(0, lines).join("\n")}\n`);
    // The process id of this very process, as locks of earlier versions have it; the first line is the header.
    writeFileSync(at("going/run.lock"), `${process.pid}\n`);
    write(1 + 5);
    const planned = journal.length - 2;
    const progress = async () =>
      /value="(\d+)" aria-label="Progress of scripted:oracle">([^<]*)/.exec(await (await ask("")).text());
    expect((await progress())?.slice(1)).toEqual(["5", `5 of ${planned} answers`]);
    write(1 + 9);
    expect((await progress())?.[1]).toBe("9");
    expect(await (await ask("")).text()).toContain("1 run · 1 going on");
    // What there is so far can be looked at.
    const key = keyOf(await (await ask("")).text(), "going");
    expect((await ask(`report?run=${key}`)).status).toBe(200);
    rmSync(at("going/run.lock"));
    const page = await readPage();
    expect(page).not.toContain("<progress");
    expect(page).toContain("unfinished");
  });

  it("is not sent again while nothing changed", async () => {
    copy("run");
    await readPage();
    const tag = (await ask("")).headers.get("etag") ?? "";
    expect((await ask("", { "if-none-match": tag })).status).toBe(304);
    copy("another");
    expect((await ask("", { "if-none-match": tag })).status).toBe(200);
  });

  it("says so when its folder is gone, and shows it again when it is back", async () => {
    copy("run");
    renameSync(folder, `${folder}-away`);
    const gone = await (await ask("")).text();
    renameSync(`${folder}-away`, folder);
    expect(gone).toContain(`Expected a folder of runs, found none at ${folder}`);
    expect(gone).toContain("No runs yet.");
    expect(await (await ask("")).text()).toContain("1 run");
  });

  it("may do nothing but what its own style and script do, and its form sends to its own server alone", async () => {
    copy("run", { model: { ...modelOf("oracle"), label: `<img src=x onerror="alert(1)">\u202e` } });
    const reply = await ask("");
    const page = await reply.text();
    expect(reply.headers.get("content-security-policy")).toBe("frame-ancestors 'none'");
    expect(page.replaceAll("&#39;", "'")).toMatch(
      /content="default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; base-uri 'none'; connect-src 'self'; form-action 'self'"/,
    );
    expect(page).not.toMatch(/<img|\u202e/);
    expect(page).toContain("&lt;img src=x onerror=&quot;alert(1)&quot;&gt;\\u202e");
  });

  it("writes nothing", async () => {
    copy("a");
    copy("b", {}, "always-A");
    const state = () =>
      readdirSync(folder, { recursive: true }).map((name) => [name, statSync(at(String(name))).mtimeMs]);
    const before = state();
    const page = await readPage();
    expect((await ask(`report?run=${keyOf(page, "a")}&run=${keyOf(page, "b")}`)).status).toBe(200);
    expect(state()).toEqual(before);
  });
});

describe("the report of chosen runs", () => {
  it("is the page that `probe report` writes, but for the way back", async () => {
    copy("a");
    copy("b", {}, "always-A");
    const page = await readPage();
    const reply = await ask(`report?run=${keyOf(page, "a")}&run=${keyOf(page, "b")}`);
    const written = await runProbe(["report", at("a"), at("b"), "--out", join(made, "ab.html"), "--overwrite"]);
    expect(written).toMatchObject({ code: 0 });
    const back = '<p><a href="./">All runs</a></p>';
    const shown = await reply.text();
    expect(shown).toContain(back);
    expect(shown.replace(back, "")).toBe(readFileSync(join(made, "ab.html"), "utf8"));
  });

  it("is made anew when a run changed", async () => {
    copy("a");
    const key = keyOf(await readPage(), "a");
    const asked = async () => / asked ([-0-9]+)/.exec(await (await ask(`report?run=${key}`)).text())?.[1];
    expect(await asked()).toBe(new Date().toISOString().slice(0, 10));
    copy("a", { times: { ...timesOf("oracle"), created_at: "2026-01-02T03:04:05.000Z" } });
    expect(await asked()).toBe("2026-01-02");
  });

  it.each([
    ["", "found none chosen"],
    ["?run=0123456789abcdef", "found none by this address"],
    ["?run=../../etc", "found none by this address"],
  ])("says why there is none of %j", async (query, reason) => {
    const reply = await ask(`report${query}`);
    expect(reply.status).toBe(400);
    expect(await reply.text()).toContain(reason);
  });

  it("says what is wrong with the runs", async () => {
    copy("a");
    copy("twin", { run_id: "a" });
    const page = await readPage();
    const reply = await ask(`report?run=${keyOf(page, "a")}&run=${keyOf(page, "twin")}`);
    expect([reply.status, await reply.text()]).toEqual([400, expect.stringContaining("found one of them twice")]);
  });
});

describe("a question", () => {
  it("is opened in the report of the chosen runs", async () => {
    copy("a");
    const run = `run=${keyOf(await readPage(), "a")}`;
    const location = async (query: string) => (await ask(`question?${query}`)).headers.get("location");
    expect(await location(`${run}&form=CL hard&item= c-a b `)).toBe(`report?${run}#question=CL%20hard/c-a%20b`);
    expect(await location(`${run}&form=CTR&item=`)).toBe(`report?${run}`);
    expect((await ask("question?form=CTR&item=x")).status).toBe(400);
  });
});

const recordOf = (source: string) =>
  JSON.parse(readFileSync(join(made, source, "run.json"), "utf8")) as Record<string, object>;
const timesOf = (source: string) => recordOf(source)["times"];
const modelOf = (source: string) => recordOf(source)["model"];
