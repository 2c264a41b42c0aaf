import { addressOf } from "./address.js";
import { labelOf } from "./label.js";
import { postageFor } from "./postage.js";

/** A parcel that is to be sent. */
export function createShipment({ weightKg, ...rest }) {
  const address = addressOf(rest);
  return { label: () => labelOf(address), cost: () => postageFor(weightKg, address) };
}
