import { describe, expect, it } from "vitest";
import { terminalOf, viewed } from "../../src/console/console.js";

const TERMINAL = { isTTY: true, columns: 132 };

describe("how wide a stream is", () => {
  it("is what the terminal says, then what COLUMNS says, then 80", () => {
    expect(terminalOf(TERMINAL, { COLUMNS: "60" }).width).toBe(132);
    expect(terminalOf({ isTTY: true, columns: 0 }, { COLUMNS: "60" }).width).toBe(60);
    expect(terminalOf({ isTTY: true }, {}).width).toBe(80);
  });

  it("has no limit off a terminal, where nothing may be missing, unless COLUMNS says one", () => {
    expect(terminalOf({}, {}).width).toBeNull();
    expect(terminalOf({}, { COLUMNS: "60" }).width).toBe(60);
    for (const odd of ["", "0", "-3", "wide", "1e3", "999999"]) {
      expect(terminalOf({}, { COLUMNS: odd }).width).toBeNull();
    }
  });

  it("has no limit with --wide", () => {
    const terminal = { width: 80, hasColours: true };
    expect(viewed(terminal, { isWide: true, isPlain: false })).toEqual({ width: null, hasColours: true });
    expect(viewed(terminal, { isWide: false, isPlain: true })).toEqual({ width: 80, hasColours: false });
  });
});

describe("colours", () => {
  const has = (stream: object, environment: Readonly<Record<string, string>>) =>
    terminalOf(stream, environment).hasColours;

  it("are for terminals that have them", () => {
    expect(has(TERMINAL, {})).toBe(true);
    expect(has(TERMINAL, { TERM: "dumb" })).toBe(false);
    expect(has({}, {})).toBe(false);
  });

  it("are asked for by FORCE_COLOR, and not there with NO_COLOR, whichever else is set", () => {
    expect(has({}, { FORCE_COLOR: "1" })).toBe(true);
    expect(has(TERMINAL, { FORCE_COLOR: "0" })).toBe(false);
    expect(has(TERMINAL, { NO_COLOR: "1" })).toBe(false);
    expect(has({}, { NO_COLOR: "1", FORCE_COLOR: "1" })).toBe(false);
    expect(has(TERMINAL, { NO_COLOR: "", FORCE_COLOR: "" })).toBe(true);
  });
});
