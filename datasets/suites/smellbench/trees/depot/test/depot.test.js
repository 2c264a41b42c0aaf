import assert from "node:assert/strict";
import { test } from "node:test";
import { Depot } from "../src/main.js";

test("takes goods in and gives them out, by words and by signs", () => {
  const depot = new Depot();
  assert.equal(depot.run("intake nails 5"), "nails: 5");
  assert.equal(depot.run("+ nails 2"), "nails: 7");
  assert.equal(depot.run("- nails 3"), "nails: 4");
});

test("gives out no more than there is", () => {
  assert.throws(() => new Depot().run("- nails 1"), /only 0 nails/);
});

test("knows no other words", () => {
  assert.throws(() => new Depot().run("stock take"), /no command stock/);
  assert.throws(() => new Depot().run("count nails"), /no command count/);
});
