import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TerminalText } from "../../src/base/text.js";
import { door, JSON_VERSION, jsonText } from "../../src/console/console.js";
import { ANY_CHARACTER } from "../fixtures/any-character.js";

function written(text: string | TerminalText): string {
  let all = "";
  door({
    write: (chunk: string | Uint8Array) => {
      all += String(chunk);
      return true;
    },
  })(text);
  return all;
}

describe("what leaves by the console", () => {
  it("tells the terminal nothing, whatever the text holds", () => {
    expect(written("a\u001b]0;pwned\u0007\u009b\u202eb")).toBe("a\\u001b]0;pwned\\u0007\\u009b\\u202eb");
    fc.assert(
      fc.property(fc.string({ unit: ANY_CHARACTER }), (text) => {
        expect(written(text).replace(/\r\n|[\n\t]/g, "")).not.toMatch(/\p{Cc}/u);
      }),
      { seed: 1 },
    );
  });

  it("keeps tabs and line ends, those of CSV too, but no return to the line's beginning", () => {
    expect(written("a\tb\nc\r\nd\re")).toBe("a\tb\nc\r\nd\\u000de");
  });

  it("stays JSON where it was", () => {
    const value = { text: "\u0085\u202e\u007f" };
    expect(JSON.parse(written(JSON.stringify(value)))).toEqual(value);
  });

  it("may hold codes where the terminal's own renderer put them", () => {
    expect(written(new TerminalText("\u001b[1mx\u001b[0m"))).toBe("\u001b[1mx\u001b[0m");
  });
});

it("a document of --json has its version first, and every field in snake_case", () => {
  const text = jsonText({ createdAt: "x", list: [{ meanAccuracy: 1, p_value: null }], letterMass: { floorRule: 2 } });
  expect(text).toBe(
    `${JSON.stringify(
      {
        schema_version: JSON_VERSION,
        created_at: "x",
        list: [{ mean_accuracy: 1, p_value: null }],
        letter_mass: { floor_rule: 2 },
      },
      null,
      2,
    )}\n`,
  );
});

it("names that are no words of the program, and those of users and servers, stay as they are", () => {
  const document = { "src/aB.ts": 1, CL: 2, "made-upB": 3, settings: { contextSize: 4 }, run: { aB: 5 } };
  expect(JSON.parse(jsonText(document))).toEqual({ schema_version: JSON_VERSION, ...document });
});
