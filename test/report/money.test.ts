import { expect, it } from "vitest";
import { money } from "../../src/report/money.js";

it("shows cents, and two digits of less than one", () => {
  expect(money(12.345, "USD")).toBe("12.35 USD");
  expect(money(0, "USD")).toBe("0.00 USD");
  expect(money(0.00041385, "USD")).toBe("0.00041 USD");
});
