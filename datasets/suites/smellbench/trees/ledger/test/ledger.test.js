import assert from "node:assert/strict";
import test from "node:test";
import { Account } from "../src/account.js";
import { Report } from "../src/report.js";

const ada = () => new Account("Ada", 500).book(1200).book(-300);
const bob = () => new Account("Bob", 500).book(-501);

test("a line has the owner, the balance, and a sign beyond the limit", () => {
  assert.deepEqual(new Report([ada(), bob()]).lines(), ["Ada: 900", "Bob: -501 !"]);
});

test("the limit itself is not beyond it", () => {
  assert.deepEqual(new Report([new Account("Eve", 500).book(-500)]).lines(), ["Eve: -500"]);
});

test("the total is that of all accounts", () => {
  assert.equal(new Report([ada(), bob()]).total(), 399);
});
