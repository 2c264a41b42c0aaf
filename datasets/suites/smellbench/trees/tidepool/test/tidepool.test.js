import assert from "node:assert/strict";
import test from "node:test";
import { highest, range } from "../src/tide.js";

test("the highest reading is told in metres", () => {
  assert.equal(highest([120, 340, 90]), 3.4);
  assert.equal(highest([]), 0);
});

test("the range is the highest without the lowest", () => {
  assert.equal(range([120, 340, 90]), 2.5);
  assert.equal(range([120]), 0);
});
