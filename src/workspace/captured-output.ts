/** Of the start and of the end of an output: 1 MB together. */
const KEPT = 512 * 1024;

/** Keeps the head and the tail of an output of any length. Memory: 1 MB and one chunk. */
export class CapturedOutput {
  readonly #most: number;
  #head: Buffer[] = [];
  #headBytes = 0;
  #tail: Buffer[] = [];
  #tailBytes = 0;
  #total = 0;

  /** @param most bytes kept of each end */
  constructor(most: number = KEPT) {
    this.#most = most;
  }

  add(chunk: Buffer): void {
    this.#total += chunk.length;
    const room = this.#most - this.#headBytes;
    const first = chunk.subarray(0, room);
    if (first.length > 0) {
      this.#head.push(Buffer.from(first));
      this.#headBytes += first.length;
    }
    const rest = chunk.subarray(first.length);
    if (rest.length === 0) return;
    this.#tail.push(Buffer.from(rest));
    this.#tailBytes += rest.length;
    if (this.#tailBytes > 2 * this.#most) this.#cut();
  }

  /** Bytes that came. */
  get total(): number {
    return this.#total;
  }

  /** What was kept, with a line that says what was left out. */
  text(): string {
    this.#cut();
    const left = this.#total - this.#headBytes - this.#tailBytes;
    const between = left > 0 ? Buffer.from(`\n… ${left} bytes left out …\n`) : Buffer.alloc(0);
    return Buffer.concat([...this.#head, between, ...this.#tail]).toString("utf8");
  }

  #cut(): void {
    const all = Buffer.concat(this.#tail);
    const kept = all.subarray(Math.max(0, all.length - this.#most));
    this.#tail = [kept];
    this.#tailBytes = kept.length;
  }
}
