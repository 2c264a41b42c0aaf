import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { listedIn, manifestNames, readStates } from "../../../src/suites/swe-atlas/run-tests.js";
import { mutationTests } from "../../../src/suites/swe-atlas/test-outcomes.js";

interface Case {
  readonly case: string;
  readonly baseline: Readonly<Record<string, string>>;
  readonly mutation: Readonly<Record<string, string>>;
  readonly manifest: string;
  readonly swap_applies: boolean;
  readonly expected: {
    readonly pass: boolean;
    readonly not_killed: string[];
    readonly baseline_relevant_passed: number;
  };
}

const PUBLISHED = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../fixtures/suites/swe-atlas/published.json"), "utf8"),
).tw;

const reportOf = (states: Readonly<Record<string, string>>) =>
  readStates(JSON.stringify({ tests: Object.entries(states).map(([name, status]) => ({ name, status })) }))!;

describe("tests without the code that they are about", () => {
  const applying = (PUBLISHED.mutation as Case[]).filter((each) => each.swap_applies);
  it.each(applying)("count as released: $case", ({ baseline, mutation, manifest, expected }) => {
    const found = mutationTests(reportOf(baseline), reportOf(mutation), manifestNames(manifest));
    expect(found).toEqual({
      passes: expected.pass,
      survivors: expected.not_killed,
      relevant: expected.baseline_relevant_passed,
    });
  });

  it.each(PUBLISHED.manifest_names as { manifest: string; names: string[] }[])(
    "are named by a manifest $manifest",
    ({ manifest, names }) => {
      expect(manifestNames(manifest)).toEqual(names);
    },
  );

  it("are named in the time of a manifest's length, whatever blanks it has", () => {
    const blanks = " ".repeat(400_000);
    expect(manifestNames(`- a${blanks}b\n${blanks}\n- c${blanks}`)).toEqual([`a${blanks}b`, "c"]);
  });

  it("are looked for in the time of both lengths: an agent writes the tests and the manifest", () => {
    const isListed = listedIn(Array.from({ length: 50_000 }, (_, i) => `not there ${i}`));
    const found = Array.from({ length: 50_000 }, (_, i) => `test ${i}`).filter(isListed);
    expect([found.length, isListed("a | not there 7")]).toEqual([0, true]);
  });

  it.each(PUBLISHED.relevance as { test: string; relevant_name: string; relevant: boolean }[])(
    "$test is $relevant_name of a manifest: $relevant",
    ({ test, relevant_name, relevant }) => {
      expect(listedIn([relevant_name])(test)).toBe(relevant);
    },
  );
});

describe("what was handed in with objects in the place of texts", () => {
  it("has the states and names that are texts, and ends no grading", () => {
    const hostile = { toString: 1 };
    const report = readStates(
      JSON.stringify({
        tests: [
          { name: "a", status: hostile },
          { name: "b", status: " passed " },
          { name: "c", status: ["PASSED"] },
        ],
      }),
    );
    expect([...(report ?? [])]).toEqual([
      ["a", "other"],
      ["b", "passed"],
      ["c", "other"],
    ]);
    expect(manifestNames(JSON.stringify({ tests: [{ name: "a" }, { name: hostile }] }))).toEqual([]);
    expect(manifestNames(JSON.stringify({ tests: [{ name: "b" }, "a", { file: "c" }] }))).toEqual(["a", "b"]);
  });
});
