import assert from "node:assert/strict";
import { test } from "node:test";
import { archived, proofs } from "../src/desk.js";
import { Camera, Press } from "../src/devices.js";

test("a press prints every page", () => {
  assert.deepEqual(proofs(new Press("A4"), ["one", "two"]), ["A4: one", "A4: two"]);
});

test("a camera takes every sheet, in capitals", () => {
  assert.deepEqual(archived(new Camera(), ["cover", "back"]), ["COVER", "BACK"]);
});

test("what cannot print is refused", () => {
  assert.throws(() => proofs(new Camera(), ["one"]), /print/);
});

test("what cannot scan is refused", () => {
  assert.throws(() => archived(new Press("A4"), ["cover"]), /scan/);
});
