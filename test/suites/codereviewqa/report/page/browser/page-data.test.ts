import { expect, it } from "vitest";
import {
  probabilityCode,
  probabilityOf,
} from "../../../../../../src/suites/codereviewqa/report/page/browser/page-data.js";

it("keeps a probability as exact as a page shows it, and what is unknown as such", () => {
  const kept = (probability: number | null) => probabilityOf(probabilityCode(probability));
  expect([0, 0.0005, 0.1234, 0.99951, 1, null].map(kept)).toEqual([0, 0.001, 0.123, 1, 1, null]);
});

it("keeps what is too small to be shown apart from nothing", () => {
  expect(probabilityOf(probabilityCode(0.00049))).toBeGreaterThan(0);
  expect(probabilityOf(probabilityCode(0.00049))).toBeLessThan(0.0005);
});

it("takes two bytes each, and no sign that a page would have to escape", () => {
  const codes = [0, 1, null, ...Array.from({ length: 1_000 }, (_, i) => i / 1_000)].map(probabilityCode);
  const text = String.fromCharCode(...codes);
  expect(Buffer.byteLength(text)).toBe(2 * codes.length);
  expect(JSON.stringify(text)).toHaveLength(codes.length + 2);
});
