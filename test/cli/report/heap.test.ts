import { setTimeout } from "node:timers/promises";
import { expect, it } from "vitest";
import { collectGarbage } from "../../../src/cli/report/report-handler.js";

/** Something that nobody else knows. */
function ownerless(): WeakRef<object> {
  return new WeakRef({ text: "of nobody" });
}

it("collects what nobody needs any more", async () => {
  const seen = ownerless();
  // A weak reference holds what it is about until the turn in which it was made has ended.
  await setTimeout(0);
  collectGarbage();
  expect(seen.deref()).toBeUndefined();
});
