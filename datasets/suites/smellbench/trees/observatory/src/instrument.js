/** Instrument that is read once a night. */
export class Instrument {
  /** Reading of a night, by the steps of its kind. */
  observe(night) {
    this.open(night);
    const reading = this.read(night);
    this.close(night);
    return reading;
  }

  /** Step of those that have something to do before. */
  open() {}

  read(night) {
    throw new Error(`nothing reads ${night.date}`);
  }

  /** Step of those that have something to do after. */
  close() {}
}

/** Instrument that is turned to a place in the sky before. */
export class Steered extends Instrument {
  open({ angle }) {
    this.steer(angle);
  }

  steer(angle) {
    throw new Error(`nothing turns to ${angle}`);
  }
}
