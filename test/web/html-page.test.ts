import fc from "fast-check";
import { parseHTML } from "linkedom";
import { describe, expect, it } from "vitest";
import { jsonMarkup, jsonPieces, markup } from "../../src/web/html-page.js";
import { ANY_CHARACTER } from "../fixtures/any-character.js";
import { collect } from "../fixtures/collect.js";

it("gives in pieces what the whole object would be, escaped alike", async () => {
  const whole = {
    name: "</script> é \u2028",
    none: [],
    list: [1, null, "<", { a: [2] }],
    later: ["x", "y"],
    rest: { b: 3 },
  };
  async function* later() {
    yield* whole.later;
  }
  const pieces = jsonPieces<typeof whole>({
    name: () => whole.name,
    none: () => whole.none,
    list: () => whole.list,
    later,
    rest: () => whole.rest,
  });
  const texts = (await collect(pieces)).map(({ text }) => text);
  expect(texts.join("")).toBe(jsonMarkup(whole).text);
});

it("makes the elements of a list no sooner than what is before them was taken", async () => {
  let made = 0;
  // Ten elements of 40,000 characters: a piece has two of them.
  async function* long() {
    for (; made < 10; made++) yield "x".repeat(40_000);
  }
  const sizes: number[] = [];
  for await (const { text } of jsonPieces<{ long: string[] }>({ long })) {
    sizes.push(text.length);
    expect(made * 40_000).toBeLessThanOrEqual(sizes.reduce((sum, size) => sum + size));
  }
  expect(made).toBe(10);
  expect(Math.max(...sizes)).toBeLessThan(100_000);
});

const HOSTILE = `</td><script>alert(1)</script><img src=x onerror="a" '>&amp;`;

describe("a template", () => {
  it("makes text of what is put into it, in elements and attributes", () => {
    const { document } = parseHTML(markup`<p title="${HOSTILE}">${HOSTILE}</p>`.text);
    expect(document.querySelectorAll("*")).toHaveLength(1);
    expect(document.querySelector("p")?.textContent).toBe(HOSTILE);
    expect(document.querySelector("p")?.getAttribute("title")).toBe(HOSTILE);
  });

  it("never lets a text end what it stands in", () => {
    fc.assert(
      fc.property(fc.string({ unit: ANY_CHARACTER }), (text) => {
        expect(markup`<i a="${text}">${text}</i>`.text.replace(/^<i a="|">|<\/i>$/g, "")).not.toMatch(/[<>"']/);
      }),
      { seed: 1 },
    );
  });

  it("shows control characters and direction overrides as escapes", () => {
    expect(markup`${"a\u001b[31m\u202eb\u0000"}`.text).toBe("a\\u001b[31m\\u202eb\\u0000");
  });

  it("cuts a very long text, and says how long it was", () => {
    const { text } = markup`${"x".repeat(100_000)}`;
    expect(text.length).toBeLessThan(2_100);
    expect(text).toMatch(/… \(100000 characters\)$/);
  });

  it("nests, and leaves nothing for what is absent", () => {
    const items = ["<", "b"].map((item) => markup`<li>${item}</li>`);
    expect(markup`<ul>${items}${null}${undefined}${false}</ul>${0}`.text).toBe("<ul><li>&lt;</li><li>b</li></ul>0");
  });
});

describe("data in a page", () => {
  it("comes back as it was, and holds nothing that ends its element", () => {
    fc.assert(
      fc.property(fc.string({ unit: ANY_CHARACTER }), (tail) => {
        const value = [`</script><!--<script>${tail}`, { "]]>": "\u2028" }];
        const { text } = jsonMarkup(value);
        expect(text).not.toContain("<");
        expect(JSON.parse(text)).toEqual(value);
      }),
      { seed: 1 },
    );
  });
});
