/** Lets one piece of work at a time at what cannot be shared, in the order of asking. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** Does the work when all before it is done, however that ended. */
  take<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}
