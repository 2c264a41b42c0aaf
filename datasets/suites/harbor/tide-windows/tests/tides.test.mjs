import assert from "node:assert/strict";
import { test } from "node:test";
import { heightAt, windows } from "/app/src/tides.mjs";

const tide = (minute, height) => ({ minute, height });

test("the water rises evenly", () => {
  assert.equal(heightAt(tide(0, 1), tide(60, 4), 20), 2);
});

test("a window begins and ends where the water comes to the draught", () => {
  // 0 to 4 m in 80 minutes: 3 m after 60. 4 to 0 m in 80 more: 3 m 20 minutes behind the top.
  assert.deepEqual(windows([tide(0, 0), tide(80, 4), tide(160, 0)], 3), [{ from: 60, to: 100 }]);
});

test("minutes are rounded into the window", () => {
  // 1 m after 100 / 3 = 33.3 minutes, and again 33.3 before the end at 200: 166.7.
  assert.deepEqual(windows([tide(0, 0), tide(100, 3), tide(200, 0)], 1), [{ from: 34, to: 166 }]);
});

test("water that just comes to the draught is enough", () => {
  assert.deepEqual(windows([tide(0, 1), tide(30, 2), tide(60, 1)], 2), [{ from: 30, to: 30 }]);
  assert.deepEqual(windows([tide(5, 2), tide(60, 2)], 2), [{ from: 5, to: 60 }]);
});

test("a window that is open at the last tide ends there", () => {
  assert.deepEqual(windows([tide(0, 0), tide(40, 4)], 2), [{ from: 20, to: 40 }]);
});

test("there may be several windows, or none", () => {
  const two = [tide(0, 2), tide(60, 0), tide(120, 2)];
  assert.deepEqual(windows(two, 1), [
    { from: 0, to: 30 },
    { from: 90, to: 120 },
  ]);
  assert.deepEqual(windows(two, 3), []);
  assert.deepEqual(windows([], 1), []);
});
