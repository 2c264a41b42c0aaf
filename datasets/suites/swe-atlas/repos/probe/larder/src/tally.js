/** Counts uses that found something, and uses that did not. */
export class Tally {
  hits = 0;
  misses = 0;

  hit() {
    this.hits++;
  }

  miss() {
    this.misses++;
  }

  /** Share of uses that found something, 0–1; `null` before the first. */
  get rate() {
    const all = this.hits + this.misses;
    return all === 0 ? null : this.hits / all;
  }
}
