import assert from "node:assert/strict";
import { test } from "node:test";
import { lineText } from "../src/line.js";
import { receipt } from "../src/receipt.js";

const tea = { name: "tea", price: 2.5, count: 2 };
const basket = (lines, isMember = false) => ({ lines, isMember });

test("a line has its count, its name and what it costs", () => {
  assert.equal(lineText(tea), "2 x tea  5.00 EUR");
});

test("a line is rounded to cents", () => {
  assert.equal(lineText({ name: "nail", price: 0.015, count: 3 }), "3 x nail  0.05 EUR");
});

test("an empty basket costs nothing", () => {
  assert.equal(receipt(basket([])), "Total  0.00 EUR\n");
});

test("a receipt has its lines and their sum", () => {
  assert.equal(receipt(basket([tea, { name: "cup", price: 7.1, count: 1 }])), "2 x tea  5.00 EUR\n1 x cup  7.10 EUR\nTotal  12.10 EUR\n");
});

test("cents add up: ten times ten cents are one euro", () => {
  const lines = Array.from({ length: 10 }, () => ({ name: "pin", price: 0.1, count: 1 }));
  assert.match(receipt(basket(lines)), /Total {2}1\.00 EUR\n$/);
});

test("there is no discount below fifty euros", () => {
  assert.equal(receipt(basket([{ name: "pot", price: 49.99, count: 1 }])), "1 x pot  49.99 EUR\nTotal  49.99 EUR\n");
});

test("from fifty euros on ten percent are taken off", () => {
  assert.match(receipt(basket([{ name: "pot", price: 50, count: 1 }])), /Discount {2}-5\.00 EUR\nTotal {2}45\.00 EUR\n$/);
});

test("members have five percent off", () => {
  assert.match(receipt(basket([tea], true)), /Discount {2}-0\.25 EUR\nTotal {2}4\.75 EUR\n$/);
});

test("members have fifteen percent off from fifty euros on", () => {
  assert.match(receipt(basket([{ name: "pot", price: 60.1, count: 1 }], true)), /Discount {2}-9\.0[12] EUR\n/);
});

test("a discount that rounds to nothing is not shown", () => {
  assert.equal(receipt(basket([{ name: "pin", price: 0.05, count: 1 }], true)), "1 x pin  0.05 EUR\nTotal  0.05 EUR\n");
});
