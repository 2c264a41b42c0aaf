import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { PartRequest, SuiteEntry, SuitePart } from "../../../../src/run/suite-entry.js";
import { withSuiteData } from "../../../../src/suites/codereviewqa/cli/suite-data.js";
import { useFreshFolder } from "../../../fixtures/fresh-folder.js";

const folder = useFreshFolder();
beforeEach(() => {
  vi.stubEnv("XDG_CACHE_HOME", folder.path("cache"));
});

afterEach(() => {
  vi.unstubAllEnvs();
});

let asked: PartRequest | null = null;
const entry = (name: string, canaries: SuitePart["canaries"] | null): SuiteEntry => ({
  name,
  title: name,
  command: null,
  options: {},
  examples: [],
  commands: [],
  load: () => Promise.reject(new Error("not to be loaded")),
  ...(canaries !== null && {
    part: async (request: PartRequest) => {
      asked = request;
      const texts = [{ id: "t:a.js", language: "javascript", text: "a();\n" }] as const;
      return { texts, leftOut: [{ taskId: "u", why: "none told" }], canaries, searched: 9, sha256: "0123456789abcdef" };
    },
  }),
});
const CANARY = {
  text: "canary GUID x",
  files: ["a", "b", "c", "d", "e", "f"].map((path, i) => ({ path, count: i + 1 })),
};
const SUITES = [entry("bench", []), entry("marked", [CANARY]), entry("questions", null)];

function read(given: Record<string, string>) {
  let said = "";
  const console = {
    out: () => undefined,
    err: (text: unknown) => {
      said += String(text);
    },
    isTerminal: false,
    workingDirectory: folder.path(),
    onInterrupt: () => () => undefined,
    now: () => new Date(0),
  };
  return withSuiteData(given, SUITES, console).then(({ given: options, suite }) => ({ options, suite, said }));
}

describe("an audit of a suite's code", () => {
  it("reads it as a file of reviews of nothing, named by its content", async () => {
    const { options, said } = await read({ suite: "bench", part: "gold", data: "mine", repo: "clones", model: "m" });
    expect(asked).toMatchObject({ part: "gold", data: folder.path("mine"), repo: folder.path("clones") });
    expect(options).toMatchObject({
      model: "m",
      dataset: expect.stringMatching(/bench-gold-01234567-[0-9a-f]{8}\.jsonl$/),
    });
    expect(JSON.parse(readFileSync(String(options["dataset"]), "utf8"))).toEqual({
      id: "t:a.js",
      language: "javascript",
      pre_review_code: "",
      code_review: "",
      post_review_code: "a();\n",
    });
    expect(said).toBe(
      "1 text of bench, gold.\nWithout gold, 1 task: u (none told).\nNo canary string in the 9 files of its data.\n",
    );
  });

  it("tells of canary strings, with the first files that they are in; of all in its document", async () => {
    const { said, suite } = await read({ suite: "marked" });
    expect(said).toContain("may continue: canary GUID x, in 6 of 9 files: a (1), b (2), c (3), d (4), e (5), …\n");
    expect(suite).toEqual({
      name: "marked",
      part: "source",
      texts: 1,
      files_searched: 9,
      canaries: [CANARY],
      left_out: [{ task_id: "u", why: "none told" }],
    });
  });

  it("is refused beside a data set, of a suite without code, and where no suite is named", async () => {
    await expect(read({ suite: "bench", dataset: "a.jsonl" })).rejects.toThrow("Expected --suite alone");
    await expect(read({ suite: "questions" })).rejects.toThrow("Expected a suite of agents for --suite");
    await expect(read({ part: "gold" })).rejects.toThrow("Expected --suite beside --data, --repo and --part");
    expect((await read({ dataset: "a.jsonl" })).options).toEqual({ dataset: "a.jsonl" });
  });
});
