import { describe, expect, it } from "vitest";
import { actionOf, type PressedKey } from "../../../src/review/page/review.js";

const press = (key: string, more: Partial<PressedKey> = {}) =>
  actionOf({ key, code: "", ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, repeat: false, ...more });

describe("the keys", () => {
  it.each([
    ["k", "keep"],
    ["K", "keep"],
    ["n", "note"],
    ["j", "next"],
    ["ArrowRight", "next"],
    ["h", "previous"],
    ["ArrowLeft", "previous"],
    ["u", "first_undecided"],
    ["?", "help"],
    ["r", "retry"],
  ])("%s is %s", (key, kind) => {
    expect(press(key)).toEqual({ kind });
  });

  it("1 to 7 drop; 0, 8 and 9 do nothing", () => {
    expect(["0", "1", "7", "8", "9"].map((key) => press(key))).toEqual([
      null,
      { kind: "drop", key: 1 },
      { kind: "drop", key: 7 },
      null,
      null,
    ]);
  });

  it("take the digit's key where the digit needs shift, and not shift with it", () => {
    expect(press("&", { code: "Digit1" })).toEqual({ kind: "drop", key: 1 });
    expect(press("!", { code: "Digit1", shiftKey: true })).toBeNull();
    expect(press("1", { code: "Digit1", shiftKey: true })).toEqual({ kind: "drop", key: 1 });
  });

  it("leave the browser its own: with Ctrl, Alt or Meta they are nothing here", () => {
    for (const held of ["ctrlKey", "metaKey", "altKey"]) expect(press("k", { [held]: true })).toBeNull();
    expect(press("constructor")).toBeNull();
  });

  it("held down, move but decide once", () => {
    expect(press("j", { repeat: true })).toEqual({ kind: "next" });
    expect(press("k", { repeat: true })).toBeNull();
    expect(press("3", { repeat: true })).toBeNull();
  });
});
