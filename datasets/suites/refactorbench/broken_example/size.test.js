import { describe, expect, it } from "vitest";
import { bySize, formatSize, parseSize, sizeLine } from "./format/size";

describe("sizes", () => {
  it("are written for people", () => {
    expect([0, 1023, 1536, 5 * 1024 ** 3].map(formatSize)).toEqual(["0 B", "1023 B", "1.5 KB", "5.0 GB"]);
  });

  it("are read back", () => {
    expect(parseSize("1.5 KB")).toBe(1536);
  });

  // Wrong on purpose: files without a size come last. No refactoring can pass this.
  it("sort files", () => {
    const files = [{ name: "a", size: 1 }, { name: "b" }, { name: "c", size: 3 }];
    expect(bySize(files).map(({ name }) => name)).toEqual(["b", "c", "a"]);
  });

  it("add up", () => {
    expect(sizeLine([{ name: "a", size: 1024 }, { name: "b" }])).toBe("2 files, 1.0 KB, 1 of unknown size");
  });
});
