import assert from "node:assert/strict";
import { test } from "node:test";
import { Barometer } from "../src/barometer.js";
import { logOf } from "../src/log.js";
import { RainGauge } from "../src/rain-gauge.js";
import { Telescope } from "../src/telescope.js";

const night = { date: "3 May", angle: 40, stars: 12, pressure: 1013 };

test("a night's log has a line for each instrument", () => {
  assert.equal(logOf([new Barometer(), new Telescope()], night), "3 May\n1013 hPa\n12 stars at 40");
});

test("the telescope looks no lower than its dome lets it", () => {
  assert.equal(logOf([new Telescope()], { ...night, angle: 5 }), "3 May\n12 stars at 15");
});

test("the rain of a night is not in the next night's", () => {
  const gauge = new RainGauge();
  gauge.fill(4);
  assert.equal(logOf([gauge], night), "3 May\n4 mm");
  gauge.fill(1);
  assert.equal(logOf([gauge], { ...night, date: "4 May" }), "4 May\n1 mm");
});
