import { describe, expect, it } from "vitest";
import { pageCode } from "../../../../../src/suites/codereviewqa/report/page/browser-assets.js";

describe("code in the page", () => {
  it("is one diff, with the colours of the version that a line is from", async () => {
    const code = await pageCode(["int a;", "return 1;"], ["int a;", "return 22;"], "c");
    expect(code.rows).toBe(" -+");
    expect(code.lines).toEqual(["int a;", "return 1;", "return 22;"]);
    // The number: place 7, one digit before, two after.
    expect(code.colours[1]).toContain("n7.1");
    expect(code.colours[2]).toContain("n7.2");
  });

  it("shows the beginning of a line of 100 kB, and says how long it is", async () => {
    const code = await pageCode(["x".repeat(100_000)], ["y"], "c");
    expect(code.lines[0]!.length).toBeLessThan(4_100);
    expect(code.lines[0]).toMatch(/… \(100000 characters\)$/);
  });
});
