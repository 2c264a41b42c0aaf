import { writeFile } from "node:fs/promises";
import { delimiter } from "node:path";
import { describe, expect, it } from "vitest";
import type { RunFile } from "../../../../src/suites/codereviewqa/record/run-file.js";
import { probeFiles } from "../../../../src/suites/codereviewqa/suite/own-probes.js";
import { useFreshFolder } from "../../../fixtures/fresh-folder.js";
import { makeRunFile } from "../../../fixtures/run-file.js";

const folder = useFreshFolder();

const find = (named: readonly string[], trusted: readonly string[] = [], resumed: RunFile | null = null) =>
  probeFiles({
    ...{ named, resumed, workingDirectory: folder.path() },
    environment: { PROBE_TRUST: trusted.join(delimiter) },
  });
const file = (source: string, sha256: string | null = null) => ({ source, path: folder.path(source), sha256 });
const configure = (...probes: string[]) =>
  writeFile(folder.path("probe.config.json"), JSON.stringify({ models: {}, probes }));
const recorded = (source: string) =>
  makeRunFile({
    probes: [
      { task: "COLOUR", source, sha256: "11", title: "a colour", options: 2, difficulties: [], answer_classes: {} },
    ],
  });

describe("probeFiles", () => {
  it("are those that were named, each once, from the working directory", async () => {
    expect(await find(["mine.ts", "mine.ts"])).toEqual({ files: [file("mine.ts")], named: 1 });
    expect(await find([])).toEqual({ files: [], named: 0 });
  });

  it("are also those of probe.config.json, behind the named ones, when they are trusted", async () => {
    await configure("theirs.ts", "mine.ts");
    expect(await find(["mine.ts"], ["/elsewhere.ts", folder.path("theirs.ts")])).toEqual({
      ...{ files: [file("mine.ts"), file("theirs.ts")], named: 1 },
    });
  });

  it("run no code of a file that was only found", async () => {
    await configure("theirs.ts");
    await expect(find([])).rejects.toThrow(
      /found theirs\.ts in probe\.config\.json: .* Name it with --probe theirs\.ts, or trust it: PROBE_TRUST=/,
    );
    await expect(find([], [], recorded("theirs.ts"))).rejects.toThrow(/found theirs\.ts in the run's run\.json/);
  });

  it("of a run that goes on are its own, with the hash they had, not those of probe.config.json", async () => {
    await configure("theirs.ts");
    expect(await find(["mine.ts"], [], recorded("mine.ts"))).toEqual({ files: [file("mine.ts", "11")], named: 1 });
    expect(await find([], [folder.path("mine.ts")], recorded("mine.ts"))).toEqual({
      ...{ files: [file("mine.ts", "11")], named: 0 },
    });
  });
});
