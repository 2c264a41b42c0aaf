import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { PartRequest, SuiteEntry } from "../../../../../src/run/suite-entry.js";
import { withSuiteData } from "../../../../../src/suites/codereviewqa/cli/audit/suite-data.js";
import { useFreshFolder } from "../../../../fixtures/fresh-folder.js";

const folder = useFreshFolder();
beforeEach(() => {
  vi.stubEnv("XDG_CACHE_HOME", folder.path("cache"));
});

let asked: PartRequest | null = null;
const entry = (name: string, canaries: readonly string[] | null): SuiteEntry => ({
  ...{ name, title: name, command: null, options: {}, examples: [], commands: [] },
  load: () => Promise.reject(new Error("not to be loaded")),
  ...(canaries !== null && {
    part: async (request: PartRequest) => {
      asked = request;
      return { texts: [{ id: "t:a.js", language: "javascript", text: "a();\n" }], canaries, sha256: "" };
    },
  }),
});
const SUITES = [entry("bench", []), entry("marked", ["canary GUID x"]), entry("questions", null)];

function read(given: Record<string, string>) {
  let said = "";
  const console = {
    out: () => undefined,
    err: (text: unknown) => {
      said += String(text);
    },
    ...{ isTerminal: false, workingDirectory: folder.path() },
    ...{ onInterrupt: () => () => undefined, now: () => new Date(0) },
  };
  return withSuiteData(given, SUITES, console).then((options) => ({ options, said }));
}

describe("an audit of a suite's code", () => {
  it("reads it as a file of reviews of nothing, named by its content", async () => {
    const { options, said } = await read({ suite: "bench", part: "gold", data: "mine", model: "m" });
    expect(asked).toMatchObject({ part: "gold", data: folder.path("mine") });
    expect(options).toMatchObject({ model: "m", dataset: expect.stringMatching(/bench-gold-[0-9a-f]{8}\.jsonl$/) });
    expect(JSON.parse(readFileSync(String(options["dataset"]), "utf8"))).toEqual({
      ...{ id: "t:a.js", language: "javascript", pre_review_code: "", code_review: "", post_review_code: "a();\n" },
    });
    expect(said).toBe("1 text of bench; no canary string in them.\n");
  });

  it("tells of canary strings", async () => {
    expect((await read({ suite: "marked" })).said).toContain("may continue: canary GUID x");
  });

  it("is refused beside a data set, of a suite without code, and where no suite is named", async () => {
    await expect(read({ suite: "bench", dataset: "a.jsonl" })).rejects.toThrow("Expected --suite alone");
    await expect(read({ suite: "questions" })).rejects.toThrow("Expected a suite of agents for --suite");
    await expect(read({ part: "gold" })).rejects.toThrow("Expected --suite beside --data and --part");
    expect((await read({ dataset: "a.jsonl" })).options).toEqual({ dataset: "a.jsonl" });
  });
});
