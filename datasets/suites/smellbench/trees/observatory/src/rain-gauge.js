import { Instrument } from "./instrument.js";

/** Glass that fills until its reading was taken. */
export class RainGauge extends Instrument {
  millimetres = 0;

  fill(millimetres) {
    this.millimetres += millimetres;
  }

  read() {
    return `${this.millimetres} mm`;
  }

  close() {
    this.millimetres = 0;
  }
}
