import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  ANY_RUN,
  chooseRunFolder,
  identityOf,
  readRun,
  runFingerprint,
  runId,
} from "../../../src/run/folder/run-folder.js";
import type { AnySuite } from "../../../src/run/suite.js";
import { differences, shortFingerprint } from "../../../src/store/identity.js";
import { type RunFile, writeRunFile } from "../../../src/suites/codereviewqa/record/run-file.js";
import { suite as reviews } from "../../../src/suites/codereviewqa/suite/questions-suite.js";
import { useFreshFolder } from "../../fixtures/fresh-folder.js";
import { makeRunFile, makeRunModel } from "../../fixtures/run-file.js";

const folder = useFreshFolder();
const home = process.cwd();
const suite: AnySuite = reviews;

async function writeRun(path: string, run: RunFile): Promise<RunFile> {
  await mkdir(path, { recursive: true });
  await writeRunFile(path, run);
  return run;
}

describe("chooseRunFolder with a named folder", () => {
  const asked = makeRunFile();

  it("takes a folder that does not exist, or is empty, for a new run", async () => {
    const [fresh, empty] = [folder.path("fresh"), folder.path("empty")];
    await mkdir(empty);
    expect(await chooseRunFolder(suite, asked, fresh)).toEqual({ path: fresh, recorded: null });
    expect(await chooseRunFolder(suite, asked, empty)).toEqual({ path: empty, recorded: null });
  });

  it.each(["running", "interrupted", "complete"] as const)("takes the same run up again: %s", async (status) => {
    const recorded = await writeRun(folder.path("run"), makeRunFile({ status, run_id: "earlier" }));
    expect(await chooseRunFolder(suite, asked, folder.path("run"))).toEqual({ path: folder.path("run"), recorded });
  });

  it("refuses another run, naming what differs, and changes nothing", async () => {
    const path = folder.path("run");
    await writeRun(path, makeRunFile({ parameters: { ...asked.parameters, seed: 5 } }));
    const before = await readFile(join(path, "run.json"), "utf8");
    await expect(chooseRunFolder(suite, asked, path)).rejects.toMatchObject({
      code: "bad_input",
      message: expect.stringContaining("parameter seed: the run has 5, this command 0"),
    });
    expect(await readdir(path)).toEqual(["run.json"]);
    expect(await readFile(join(path, "run.json"), "utf8")).toBe(before);
  });

  it("takes a run up again that was recorded before there was an option, which has its default", async () => {
    const { limit: _, ...then } = asked.parameters;
    const recorded = await writeRun(folder.path("run"), makeRunFile({ status: "interrupted", parameters: then }));
    expect(await chooseRunFolder(suite, asked, folder.path("run"))).toEqual({ path: folder.path("run"), recorded });
    const other = makeRunFile({ parameters: { ...asked.parameters, limit: 9 } });
    await expect(chooseRunFolder(suite, other, folder.path("run"))).rejects.toMatchObject({
      message: expect.stringContaining("parameter limit: the run has null, this command 9"),
    });
  });

  it("refuses a folder with other files, and a file", async () => {
    await writeFile(folder.path("file"), "precious");
    await expect(chooseRunFolder(suite, asked, folder.path())).rejects.toMatchObject({ code: "bad_input" });
    await expect(chooseRunFolder(suite, asked, folder.path("file"))).rejects.toMatchObject({ code: "bad_input" });
  });

  it("refuses a damaged run instead of starting over", async () => {
    await writeFile(folder.path("run.json"), "{");
    await expect(chooseRunFolder(suite, asked, folder.path())).rejects.toMatchObject({ code: "bad_input" });
  });
});

describe("chooseRunFolder without a name", () => {
  beforeEach(() => process.chdir(folder.path()));
  afterEach(() => process.chdir(home));

  const asked = (changes: Partial<RunFile> = {}) => {
    const run = makeRunFile(changes);
    return { ...run, run_id: `20260102T030405Z-oracle-${shortFingerprint(runFingerprint(suite, run))}` };
  };
  const earlier = (day: string, changes: Partial<RunFile> = {}) => {
    const run = makeRunFile(changes);
    return writeRun(join("results", `${day}-oracle-${shortFingerprint(runFingerprint(suite, run))}`), run);
  };

  it("is a new one under results/, by the run's id", async () => {
    const run = asked();
    expect(await chooseRunFolder(suite, run, null)).toEqual({ path: join("results", run.run_id), recorded: null });
  });

  it("takes up an unfinished run from before there was an option, whose fingerprint is another", async () => {
    const { limit: _, ...then } = makeRunFile().parameters;
    const recorded = await earlier("20250101T000000Z", { status: "interrupted", parameters: then });
    expect((await chooseRunFolder(suite, asked(), null)).recorded).toEqual(recorded);
  });

  it("takes up an unfinished run of the same command, the latest", async () => {
    await earlier("20250101T000000Z", { status: "interrupted" });
    const latest = await earlier("20250301T000000Z", { status: "running", questions: 1 });
    const run = asked();
    expect(await chooseRunFolder(suite, run, null)).toEqual({
      path: join("results", `20250301T000000Z-oracle-${shortFingerprint(runFingerprint(suite, run))}`),
      recorded: latest,
    });
  });

  it("begins anew when the run of the same command is complete, or is another", async () => {
    await earlier("20250101T000000Z", { status: "complete" });
    await earlier("20250101T000000Z", { status: "interrupted", parameters: { seed: 5 } });
    expect((await chooseRunFolder(suite, asked(), null)).recorded).toBeNull();
  });

  it("passes over a damaged run of the same command", async () => {
    await earlier("20250101T000000Z", { status: "interrupted" });
    const damaged = join(
      "results",
      `20250301T000000Z-oracle-${shortFingerprint(runFingerprint(suite, makeRunFile()))}`,
    );
    await mkdir(damaged);
    await writeFile(join(damaged, "run.json"), "{");
    expect((await chooseRunFolder(suite, asked(), null)).path).toContain("20250101T000000Z");
  });
});

describe("runFingerprint", () => {
  const run = makeRunFile();

  it("does not depend on when the run began, nor on the path of the data", () => {
    const times = { ...run.times, created_at: "1970-01-01T00:00:00.000Z" };
    const dataset = { ...run.dataset, source: "/elsewhere/data.jsonl" };
    expect(runFingerprint(suite, makeRunFile({ times, dataset }))).toBe(runFingerprint(suite, run));
  });

  it("depends on model, data, prompts and parameters", () => {
    const others = [
      { model: { ...run.model, label: "other" } },
      { model: { ...run.model, identity: { ...run.model.identity, rule: "uniform" } } },
      { dataset: { ...run.dataset, sha256: "00" } },
      { dataset: { ...run.dataset, selection_sha256: "00" } },
      { parameters: { ...run.parameters, seed: 1 } },
      { prompts: [{ id: "paper/CTR", sha256: "00" }] },
    ].map((change) => runFingerprint(suite, makeRunFile(change)));
    expect(new Set([runFingerprint(suite, run), ...others]).size).toBe(7);
  });
});

describe("runId", () => {
  const NOW = new Date("2026-11-21T23:03:54.123Z");
  const labelled = (label: string) => makeRunFile({ model: makeRunModel(label, {}) });

  it("is of time, model and fingerprint", () => {
    const run = labelled("mine");
    expect(runId(suite, run, NOW)).toBe(`20261121T230354Z-mine-${shortFingerprint(runFingerprint(suite, run))}`);
  });

  it.each(["../../etc/passwd", "scripted:/tmp/a b.jsonl", "..", "C:\\m.gguf", "日本", `${"x/".repeat(200)}.gguf`])(
    "is a plain folder name, whatever the model's label: %s",
    (label) => {
      const id = runId(suite, labelled(label), NOW);
      expect(id).toMatch(/^20261121T230354Z-[A-Za-z0-9._-]*-[0-9a-f]{8}$/);
      expect(id.length).toBeLessThan(80);
    },
  );
});

const differencesOf = (recorded: RunFile, asked: RunFile) =>
  differences(identityOf(suite, recorded), identityOf(suite, asked), "the run");

describe("what has to be the same for a run to go on", () => {
  const run = makeRunFile();

  it("finds none between runs that ask the same, whenever and wherever", () => {
    const later = makeRunFile({
      run_id: "other",
      status: "interrupted",
      dataset: { ...run.dataset, source: "/elsewhere" },
    });
    expect(differencesOf(run, later)).toEqual([]);
  });

  it("finds none after a run was written to disk and read again", () => {
    expect(differencesOf(JSON.parse(JSON.stringify(run)), run)).toEqual([]);
  });

  it("names each difference with both values; of another model that alone", () => {
    const asked = makeRunFile({
      model: makeRunModel("tiny", { provider: "scripted", rule: "uniform", seed: 1 }),
      dataset: { ...run.dataset, sha256: "00", selection_sha256: "11" },
      parameters: { ...run.parameters, tasks: ["CTR", "CL"], seed: 1 },
      prompts: [
        { id: "paper/CTR", sha256: "22" },
        { id: "paper/CL", sha256: "33" },
      ],
    });
    expect(differencesOf(run, asked)).toEqual([
      'model: the run has "scripted:oracle", this command "tiny"',
      `dataset sha256: the run has "${"cd".repeat(32)}", this command "00"`,
      `dataset selection sha256: the run has "${"ef".repeat(32)}", this command "11"`,
      `prompt paper/CTR: the run has "${"12".repeat(32)}", this command "22"`,
      'prompt paper/CL: the run has none, this command "33"',
      'parameter tasks: the run has ["CTR"], this command ["CTR","CL"]',
      "parameter seed: the run has 0, this command 1",
    ]);
  });

  it("names the hash of a probe of one's own by the probe", () => {
    const probe = { task: "COLOUR", source: "mine.ts", title: "a colour", options: 2, difficulties: [] };
    const withProbe = (sha256: string) => makeRunFile({ probes: [{ ...probe, answer_classes: {}, sha256 }] });
    expect(differencesOf(withProbe("11"), withProbe("22"))).toEqual([
      'probe COLOUR: the run has "11", this command "22"',
    ]);
  });

  it("tells an absent limit from a limit of 0", () => {
    const asked = makeRunFile({ parameters: { ...run.parameters, limit: 0 } });
    expect(differencesOf(run, asked)).toEqual(["parameter limit: the run has null, this command 0"]);
  });
});

describe("readRun", () => {
  it("reads a run of the suite, also one that was recorded before there were several", async () => {
    await writeRunFile(folder.path(), makeRunFile());
    expect(await readRun(reviews, folder.path())).toEqual(makeRunFile());
    const { suite: _, ...older } = makeRunFile();
    await writeFile(folder.path("run.json"), JSON.stringify(older));
    expect(await readRun(reviews, folder.path())).toEqual(makeRunFile());
  });

  it("refuses a run of another suite, saying by which command it goes on", async () => {
    await ANY_RUN.write(folder.path(), { ...makeRunFile(), suite: "arithmetic" });
    await expect(readRun(reviews, folder.path())).rejects.toThrow(
      /a run of the suite codereviewqa in .*, found one of arithmetic\. .*probe suite run arithmetic --resume/,
    );
  });

  it("refuses a folder without a run", async () => {
    await expect(readRun(reviews, folder.path("nothing"))).rejects.toThrow(/found no run\.json/);
  });
});
