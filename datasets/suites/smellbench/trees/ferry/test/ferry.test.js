import assert from "node:assert/strict";
import { test } from "node:test";
import { payFor } from "../src/pilots.js";
import { Plan } from "../src/plan.js";

test("a slot costs by its quay, and twice at night", () => {
  const plan = new Plan();
  assert.equal(plan.book("Ada", "south", 600, 630), 60);
  assert.equal(plan.book("Bo", "north", 350, 370), 90);
  assert.deepEqual(plan.board(), ["10:00-10:30 Ada, south", "05:50-06:10 Bo, north"]);
});

test("a quay has one ship at once", () => {
  const plan = new Plan();
  plan.book("Ada", "south", 600, 630);
  assert.throws(() => plan.book("Bo", "south", 620, 640), /taken by Ada/);
  assert.equal(plan.book("Bo", "north", 620, 640), 60);
  assert.equal(plan.book("Cy", "south", 630, 640), 20);
});

test("a slot ends after it begins", () => {
  assert.throws(() => new Plan().book("Ada", "south", 630, 630), /ends after/);
});

test("a pilot has three times as much at night", () => {
  assert.equal(payFor({ from: 340, to: 380 }), 80);
});
