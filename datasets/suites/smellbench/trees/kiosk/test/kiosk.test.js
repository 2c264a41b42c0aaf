import assert from "node:assert/strict";
import test from "node:test";
import { Kiosk } from "../src/kiosk.js";

test("a kiosk sells what it has", () => {
  const kiosk = new Kiosk();
  kiosk.deliver("comb", 2);
  assert.deepEqual([kiosk.sell("comb", 150), kiosk.sell("comb", 150), kiosk.sell("comb", 150)], [true, true, false]);
  assert.equal(kiosk.sell("soap", 90), false);
});

test("the report has what is left and what was earned", () => {
  const kiosk = new Kiosk();
  kiosk.deliver("comb", 2);
  kiosk.deliver("soap", 1);
  kiosk.deliver("soap", 1);
  kiosk.sell("comb", 150);
  kiosk.sell("soap", 95);
  assert.equal(kiosk.report(["comb", "soap"]), "comb 1; soap 1; 2 sales, 2.45");
});
