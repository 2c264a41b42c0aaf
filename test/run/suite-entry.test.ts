import { describe, expect, it } from "vitest";
import { findSuite, requireDistinctSuites, type SuiteEntry } from "../../src/run/suite-entry.js";
import { suite } from "../../src/suites/codereviewqa/suite/questions-suite.js";

const entry = (name: string): SuiteEntry => ({
  name,
  title: name,
  command: null,
  options: {},
  examples: [],
  commands: [],
  load: async () => suite,
});
const ENTRIES = [entry("codereviewqa"), entry("arithmetic")];

describe("findSuite", () => {
  it("finds a suite by its name", () => {
    expect(findSuite(ENTRIES, "arithmetic")).toBe(ENTRIES[1]);
  });

  it("refuses a name that means nothing, naming those there are and what is near", () => {
    expect(() => findSuite(ENTRIES, "arithmatic")).toThrow(
      'Expected a suite (codereviewqa, arithmetic), found "arithmatic". Did you mean arithmetic?',
    );
    expect(() => findSuite(ENTRIES, "zzzzzz")).toThrow(/found "zzzzzz"\.$/);
  });
});

describe("requireDistinctSuites", () => {
  it("refuses two suites of one name", () => {
    expect(() => requireDistinctSuites(ENTRIES)).not.toThrow();
    expect(() => requireDistinctSuites([...ENTRIES, entry("arithmetic")])).toThrow(
      "Expected one suite of the name arithmetic, found two.",
    );
  });
});
