import { Steered } from "./instrument.js";

/** Telescope under a dome that hides what is low. */
export class Telescope extends Steered {
  steer(angle) {
    this.angle = Math.max(angle, 15);
  }

  read({ stars }) {
    return `${stars} stars at ${this.angle}`;
  }
}
