import { expect, it } from "vitest";
import { jsonPieces } from "../../src/web/html-page.js";
import { jsonMarkup } from "../../src/web/markup.js";
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
