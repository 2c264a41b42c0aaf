import assert from "node:assert/strict";
import test from "node:test";
import { createShipment } from "../src/shipment.js";

const near = { weightKg: 2, street: "Havnegata 1", city: "Bergen", zip: " 5003", country: "no" };

test("the label has street, place and country", () => {
  assert.equal(createShipment(near).label(), "Havnegata 1\n5003 Bergen\nNO");
});

test("postage goes by weight and zone", () => {
  assert.equal(createShipment(near).cost(), 8);
  assert.equal(createShipment({ ...near, country: "is" }).cost(), 18);
});

test("islands cost more", () => {
  assert.equal(createShipment({ ...near, zip: "9100" }).cost(), 11);
  assert.equal(createShipment({ ...near, zip: "9100", country: "is" }).cost(), 18);
});
