import type { WireRequest } from "../../model/wire/ways.js";
import type { NewBatch } from "./batch-ledger.js";

/** A request without an answer. */
export interface OpenRequest {
  /** Its name in the run: letters, digits and `-`, at most 23. */
  readonly key: string;
  readonly request: WireRequest;
  /** The most that it may cost; `null` where the price is not known. */
  readonly most: number | null;
}

/** A batch as it fills up. All its requests have one path. */
export class Draft implements NewBatch {
  readonly number: number;
  readonly mark: string;
  readonly lines: string[] = [];
  readonly keys = new Set<string>();
  readonly #most: { readonly requests: number; readonly bytes: number };
  #path: string | null = null;
  #bytes = 0;
  #cost: number | null = 0;

  constructor(
    { number, mark }: Pick<NewBatch, "number" | "mark">,
    most: { readonly requests: number; readonly bytes: number },
  ) {
    this.number = number;
    this.mark = mark;
    this.#most = most;
  }

  get isEmpty(): boolean {
    return this.lines.length === 0;
  }

  get path(): string {
    return this.#path ?? "";
  }

  get costBound(): number | null {
    return this.#cost;
  }

  /** Tests if there is room for a request; for the first there always is. */
  fits({ request }: OpenRequest, line: string): boolean {
    if (this.isEmpty) return true;
    const { requests, bytes } = this.#most;
    const isRoomy = this.lines.length < requests && this.#bytes + Buffer.byteLength(line) + 1 <= bytes;
    return isRoomy && request.path === this.#path;
  }

  add({ key, request, most }: OpenRequest, line: string): void {
    this.#path ??= request.path;
    this.lines.push(line);
    this.keys.add(key);
    this.#bytes += Buffer.byteLength(line) + 1;
    this.#cost = this.#cost === null || most === null ? null : this.#cost + most;
  }
}
