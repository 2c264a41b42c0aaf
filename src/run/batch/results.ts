import type { BatchDesk } from "../../model/batch/batch-api.js";
import { another, type BatchResult, type BatchState } from "../../model/batch/batch-api.js";
import type { WireRequest } from "../../model/wire/ways.js";
import { type BatchCounts, type NewBatch, NO_RESULTS, type OpenBatch } from "./batch-ledger.js";

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

/** End of a result; but for `answered` and `failed`, its request is asked once more. */
export interface Taken {
  readonly kind: "answered" | "failed" | "expired" | "cancelled" | "faulty";
  /** Cost; `null`: not known. */
  readonly cost: number | null;
}

/** Reader of the result of a request: records what it is. */
export interface Taker {
  /** The most that the request may have cost; `null` where the price is not known. */
  readonly most: number | null;
  take(result: BatchResult, tookMs: number): Promise<Taken>;
}

/** Results of a batch: counts, cost of all, and of that the most that no journal has. */
interface Collected {
  readonly counts: BatchCounts;
  readonly cost: number;
  readonly lostCost: number;
}

/** Results that are none of the batch's, besides as many as it has requests: such a page is not read on. */
const MOST_STRAY = 1000;

/**
 * Takes the results of a batch that has ended: each once, whatever their order, those that belong to it alone.
 * @throws RequestError; ProbeError `model_unavailable` where none belongs to it
 */
export async function collectResults(
  desk: BatchDesk,
  batch: OpenBatch,
  state: BatchState,
  takers: ReadonlyMap<string, Taker>,
): Promise<Collected> {
  const taken = new Map<Taker, Taken>();
  let stray = { foreign: 0, doubles: 0 };
  await desk.collect(state, () => {
    const reading = new Reading(batch, takers);
    stray = reading.stray;
    return async (result) => {
      const taker = reading.takerOf(result);
      if (taker !== null && !taken.has(taker)) taken.set(taker, await taker.take(result, state.tookMs));
    };
  });
  if (taken.size === 0 && stray.foreign > 0)
    throw another(`${state.id} (${batch.mark})`, `${stray.foreign} results of other requests`);
  return summed(batch, takers, taken, stray);
}

/** One reading of a page of results. */
class Reading {
  readonly stray = { foreign: 0, doubles: 0 };
  readonly #batch: OpenBatch;
  readonly #takers: ReadonlyMap<string, Taker>;
  readonly #seen = new Set<Taker>();

  constructor(batch: OpenBatch, takers: ReadonlyMap<string, Taker>) {
    this.#batch = batch;
    this.#takers = takers;
  }

  /** The taker of a result; `null` for one that came before, or is none of the batch's. */
  takerOf({ id }: BatchResult): Taker | null {
    const { mark, requests } = this.#batch;
    const taker = id.startsWith(`${mark}-`) ? this.#takers.get(id.slice(mark.length + 1)) : undefined;
    if (taker !== undefined && !this.#seen.has(taker)) {
      this.#seen.add(taker);
      return taker;
    }
    this.stray[taker === undefined ? "foreign" : "doubles"]++;
    if (this.stray.foreign + this.stray.doubles > requests + MOST_STRAY)
      throw another(mark, "more results than it has requests");
    return null;
  }
}

function summed(
  { requests }: OpenBatch,
  takers: ReadonlyMap<string, Taker>,
  taken: ReadonlyMap<Taker, Taken>,
  stray: Pick<BatchCounts, "foreign" | "doubles">,
): Collected {
  const counts = { ...NO_RESULTS, ...stray, missing: requests - taken.size };
  let [cost, lostCost] = [0, 0];
  for (const taker of takers.values()) {
    const result = taken.get(taker);
    const own = result?.cost ?? taker.most ?? 0;
    cost += own;
    if (result === undefined || result.kind === "faulty") lostCost += own;
    if (result !== undefined) counts[result.kind]++;
  }
  return { counts, cost, lostCost };
}

const LABELS = {
  answered: "answered",
  failed: "failed",
  expired: "expired",
  cancelled: "cancelled",
  faulty: "with a faulty reply",
  missing: "without a result",
  refused: "refused",
  foreign: "results of other requests, left out",
  doubles: "results that came twice, left out",
} as const satisfies Record<keyof BatchCounts, string>;

/** Such as `480 answered, 3 failed, 17 expired; 17 are asked again`. */
export function countsText(counts: BatchCounts): string {
  const named = Object.entries(LABELS).flatMap(([name, label]) => {
    const count = counts[name as keyof BatchCounts];
    return count > 0 ? [`${count} ${label}`] : [];
  });
  const again = counts.expired + counts.cancelled + counts.faulty + counts.missing;
  return `${named.join(", ")}${again > 0 ? `; ${again} to be asked again` : ""}`;
}
