import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normaliseText, shorten, shortenLines, visible, visibleLine } from "../../src/base/text.js";

/** Any UTF-16, lone surrogates and control characters included. */
const anyText = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 })
  .map((units) => String.fromCharCode(...units));

describe("normaliseText", () => {
  it("turns Windows line ends into line feeds", () => {
    expect(normaliseText("a\r\nb\r\n")).toBe("a\nb\n");
  });

  it("keeps tabs, a carriage return that ends no line, U+2028 and trailing spaces", () => {
    expect(normaliseText("\ta\rb\u2028c  ")).toBe("\ta\rb\u2028c  ");
  });

  it("replaces a lone surrogate with U+FFFD and keeps a pair", () => {
    expect(normaliseText("a\ud800b\udc00c\u{1f600}")).toBe("a\ufffdb\ufffdc\u{1f600}");
  });

  it("gives text that UTF-8 can hold, whatever comes in", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const normal = normaliseText(text);
        expect(Buffer.from(normal, "utf8").toString("utf8")).toBe(normal);
      }),
      { seed: 1 },
    );
  });
});

describe("what a reader sees of a text", () => {
  it("are the codes for a terminal, not what they do", () => {
    expect(visible("\u001b[31mred\u0007")).toBe("\\u001b[31mred\\u0007");
    expect(visibleLine("\u001b[31mred\u0007")).toBe("\\u001b[31mred\\u0007");
  });

  it("has line ends and tabs, unless it is to be one line", () => {
    expect(visible("a\r\n\tb\u009b\nc\rd")).toBe("a\r\n\tb\\u009b\nc\\u000dd");
    expect(visibleLine("a\r\n\tb\u009b")).toBe("a\\u000d\\u000a\\u0009b\\u009b");
  });

  it.each([0x061c, 0x200e, 0x200f, 0x202a, 0x202e, 0x2066, 0x2069])("has the direction control %d by name", (code) => {
    const shown = `x\\u${code.toString(16).padStart(4, "0")}y`;
    expect(visible(`x${String.fromCharCode(code)}y`)).toBe(shown);
    expect(visibleLine(`x${String.fromCharCode(code)}y`)).toBe(shown);
  });

  it("has letters of any script as they are", () => {
    expect(visibleLine("é 漢 \u{1f600} </script>")).toBe("é 漢 \u{1f600} </script>");
  });

  it("never holds a control character", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(/\p{Cc}/u.test(visibleLine(text))).toBe(false);
        expect(/\p{Cc}/u.test(visible(text).replace(/\r\n|[\n\t]/g, ""))).toBe(false);
      }),
      { seed: 1 },
    );
  });
});

describe("a piece of a text", () => {
  it("is cut where it is longer than the limit, and says how long it was", () => {
    expect(shorten("abcdef", 6)).toBe("abcdef");
    expect(shorten("abcdefg", 6)).toBe("abcdef… (7 characters)");
  });

  it("is one line, which none of its own line ends can end", () => {
    expect(shorten("a\r\n\tb", 9)).toBe("a\\u000d\\u000a\\u0009b");
  });

  it("keeps its lines where it is to have several, each cut by itself", () => {
    expect(shortenLines("abcdefgh\nb\n", 6)).toBe("abcdef… (8 characters)\nb\n");
  });
});
