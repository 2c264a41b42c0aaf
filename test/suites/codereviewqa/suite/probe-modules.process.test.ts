import { writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import type { RunFile } from "../../../../src/suites/codereviewqa/record/run-file.js";
import { probeFiles } from "../../../../src/suites/codereviewqa/suite/probe-modules.js";
import { bundleModule } from "../../../../src/trust/module-bundle.js";
import { writeTrust } from "../../../../src/trust/require-trust.js";
import { useFreshFolder } from "../../../fixtures/fresh-folder.js";
import { makeRunFile } from "../../../fixtures/run-file.js";

const folder = useFreshFolder();

const HASH = "1".repeat(64);

async function find(named: readonly string[], trusted: readonly string[] = [], resumed: RunFile | null = null) {
  const path = folder.path("trust.json");
  const grants = trusted.map(async (source) => ({
    claim: {
      kind: "module" as const,
      path: folder.path(source),
      sha256: resumed === null ? await hashOf(source) : HASH,
    },
    added_at: "2026-11-22T12:00:00Z",
  }));
  await writeTrust(path, await Promise.all(grants));
  const environment = { PROBE_TRUST_FILE: path };
  return probeFiles({ named, resumed, workingDirectory: folder.path(), environment });
}

const hashOf = async (source: string) => (await bundleModule(source, folder.path(source))).sha256;
const file = (source: string, sha256: string | null = null) => ({ source, path: folder.path(source), sha256 });
const writeModule = (source: string) =>
  writeFile(folder.path(source), `export const probe = ${JSON.stringify(source)};\n`);
const configure = (...probes: string[]) =>
  writeFile(folder.path("probe.config.json"), JSON.stringify({ models: {}, probes }));
const recorded = (source: string) =>
  makeRunFile({
    probes: [
      { task: "COLOUR", source, sha256: HASH, title: "a colour", options: 2, difficulties: [], answer_classes: {} },
    ],
  });

describe("probeFiles", () => {
  it("are those that were named, each once, from the working directory", async () => {
    expect(await find(["mine.ts", "mine.ts"])).toEqual({ files: [file("mine.ts")], named: 1 });
    expect(await find([])).toEqual({ files: [], named: 0 });
  });

  it("are also those of probe.config.json, behind the named ones, when they are trusted as they are", async () => {
    await configure("theirs.ts", "mine.ts");
    for (const source of ["theirs.ts", "mine.ts"]) await writeModule(source);
    const theirs = file("theirs.ts", await hashOf("theirs.ts"));
    expect(await find(["mine.ts"], ["theirs.ts"])).toEqual({ files: [file("mine.ts"), theirs], named: 1 });
  });

  it("run no code of a file that was only found", async () => {
    await configure("theirs.ts");
    await writeModule("theirs.ts");
    await expect(find([])).rejects.toThrow(
      /found theirs\.ts in probe\.config\.json: .* Name it on the command line, --probe theirs\.ts, or trust it:\n {2}probe trust add --module \//,
    );
    await expect(find([], [], recorded("theirs.ts"))).rejects.toThrow(/found theirs\.ts in the run's run\.json/);
  });

  it("of a run that goes on are its own, with the hash they had, not those of probe.config.json", async () => {
    await configure("theirs.ts");
    expect(await find(["mine.ts"], [], recorded("mine.ts"))).toEqual({ files: [file("mine.ts", HASH)], named: 1 });
    expect(await find([], ["mine.ts"], recorded("mine.ts"))).toEqual({ files: [file("mine.ts", HASH)], named: 0 });
  });
});
