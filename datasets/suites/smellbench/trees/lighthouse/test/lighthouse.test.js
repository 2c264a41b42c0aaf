import assert from "node:assert/strict";
import test from "node:test";
import { alarmFor } from "../src/alarm.js";
import { logLine } from "../src/log.js";
import { dangerousHours } from "../src/summary.js";

test("the horn sounds from level 4 on", () => {
  assert.deepEqual([3, 4, 5].map(alarmFor), ["none", "horn", "horn"]);
});

test("the log marks dangerous hours", () => {
  assert.equal(logLine(7, 4), "07 * 4");
  assert.equal(logLine(17, 3), "17   3");
});

test("the summary counts them", () => {
  assert.equal(dangerousHours([1, 4, 6, 3]), 2);
});
