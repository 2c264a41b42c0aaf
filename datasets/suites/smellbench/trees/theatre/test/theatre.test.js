import assert from "node:assert/strict";
import { test } from "node:test";
import { cushionsFor } from "../src/cushions.js";
import { askedFor } from "../src/door.js";
import { letterTo } from "../src/letter.js";
import { priceOf } from "../src/price.js";
import { countGuests } from "../src/takings.js";

const guests = [11, 12, 66, 67].map((age) => ({ name: `guest of ${age}`, age }));

test("children and the old pay half, by the row", () => {
  assert.deepEqual(guests.map(({ age }) => priceOf(age, 4)), [15, 30, 30, 15]);
  assert.deepEqual(guests.map(({ age }) => priceOf(age, 5)), [10, 20, 20, 10]);
});

test("the door asks them for a proof", () => {
  assert.deepEqual(guests.map((guest) => askedFor(guest).length), [2, 1, 1, 2]);
});

test("the letter tells them to bring one", () => {
  assert.deepEqual(guests.map((guest) => letterTo(guest).length), [3, 2, 2, 3]);
});

test("the takings count them", () => {
  assert.deepEqual(countGuests(guests), { reduced: 2, full: 2 });
});

test("children alone get a cushion", () => {
  assert.deepEqual(cushionsFor(guests), ["guest of 11"]);
});
