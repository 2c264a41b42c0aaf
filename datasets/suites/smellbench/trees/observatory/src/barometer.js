import { Instrument } from "./instrument.js";

/** Barometer on the wall. */
export class Barometer extends Instrument {
  read({ pressure }) {
    return `${pressure} hPa`;
  }
}
