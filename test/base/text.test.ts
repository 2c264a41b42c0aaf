import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normaliseText, printable, printableLines } from "../../src/base/text.js";

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

describe("printable", () => {
  it("shows a terminal escape instead of obeying it", () => {
    expect(printable("\u001b[31mred\u0007")).toBe("\\u001b[31mred\\u0007");
  });

  it("shows line ends, tabs and C1 controls as escapes", () => {
    expect(printable("a\r\n\tb\u009b")).toBe("a\\u000d\\u000a\\u0009b\\u009b");
  });

  it.each([0x061c, 0x200e, 0x200f, 0x202a, 0x202e, 0x2066, 0x2069])("shows the direction control %d", (code) => {
    expect(printable(`x${String.fromCharCode(code)}y`)).toBe(`x\\u${code.toString(16).padStart(4, "0")}y`);
  });

  it("leaves letters of any script alone", () => {
    expect(printable("é 漢 \u{1f600} </script>")).toBe("é 漢 \u{1f600} </script>");
  });

  it("cuts what is longer than the limit and says how long it was", () => {
    expect(printable("abcdef", 6)).toBe("abcdef");
    expect(printable("abcdefg", 6)).toBe("abcdef… (7 characters)");
  });

  it("cuts at 120 characters unless told otherwise", () => {
    expect(printable("x".repeat(100_000))).toBe(`${"x".repeat(120)}… (100000 characters)`);
  });

  it("never lets a control character through", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(/\p{Cc}/u.test(printable(text))).toBe(false);
      }),
      { seed: 1 },
    );
  });
});

describe("printableLines", () => {
  it("keeps the line feeds, and makes each line printable by itself", () => {
    expect(printableLines("\u001b[31ma\r\nb\n", 6)).toBe("\\u001b[31ma… (7 characters)\nb\n");
  });
});
