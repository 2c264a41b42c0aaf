import assert from "node:assert/strict";
import { test } from "node:test";
import { Larder } from "../src/larder.js";

function larderAt(start, options = {}) {
  const clock = { time: start };
  return { clock, larder: new Larder({ capacity: 2, keepMs: 100, now: () => clock.time, ...options }) };
}

test("take gives back what was put", () => {
  const { larder } = larderAt(0);
  larder.put("jam", 3);
  assert.equal(larder.take("jam"), 3);
});

test("take drops what is spoiled", () => {
  const { larder, clock } = larderAt(0);
  larder.put("milk", 1);
  clock.time = 100;
  assert.equal(larder.take("milk"), undefined);
  assert.equal(larder.size, 0);
});

test("peek leaves what is spoiled where it is", () => {
  const { larder, clock } = larderAt(0);
  larder.put("milk", 1);
  clock.time = 100;
  assert.equal(larder.peek("milk"), undefined);
  assert.equal(larder.size, 1);
});

test("put drops what was not used for longest", () => {
  const { larder } = larderAt(0);
  larder.put("a", 1);
  larder.put("b", 2);
  larder.take("a");
  larder.put("c", 3);
  assert.equal(larder.peek("b"), undefined);
  assert.equal(larder.peek("a"), 1);
});

test("tally tells the share of hits", () => {
  const { larder } = larderAt(0);
  larder.put("jam", 3);
  larder.take("jam");
  larder.take("tea");
  assert.equal(larder.tally.rate, 0.5);
});
