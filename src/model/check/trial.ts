import { RequestError } from "../http/request-error.js";
import type { Question } from "../server/server-channel.js";
import type { CheckedWay } from "./check-report.js";

/** Asks one server one question. Throws RequestError. */
export type Ask = <T>(question: Question<T>) => Promise<T>;

/** What a check found of one way; the evidence is for a comparison of servers. */
export type Finding<E> =
  | { readonly status: "works"; readonly notes: readonly string[]; readonly evidence: E }
  | { readonly status: "refused"; readonly reason: string };

/** One way, tried or not. */
interface Trial<W, E> {
  readonly way: W;
  readonly row: CheckedWay;
  /** `null`: it was not tried, or not offered. */
  readonly finding: Finding<E> | null;
}

/** A thing that a model may be able to do, and how that is found out. */
export interface Ability<W extends { readonly name: string }, E> {
  /** The `extraction` of its rows. */
  readonly extraction: string;
  readonly probe: (way: W, ask: Ask) => Promise<Finding<E>>;
  /** Whether two servers of one model may have given this. */
  readonly agree: (mine: E, theirs: E) => boolean;
}

/**
 * Tries the ways in order until one works; those after it are not tried.
 * @throws RequestError when the server cannot be reached
 */
export async function tryWays<W extends { readonly name: string }, E>(
  { extraction, probe }: Pick<Ability<W, E>, "extraction" | "probe">,
  ways: readonly W[],
  ask: Ask,
): Promise<Trial<W, E>[]> {
  const trials: Trial<W, E>[] = [];
  for (const way of ways) {
    const isFound = trials.some(({ row }) => row.status === "works");
    const row = { way: way.name, extraction, notes: [], measures: null };
    if (isFound) trials.push({ way, row: { ...row, status: "not_tried" }, finding: null });
    else trials.push(await tryWay(probe, way, row, ask));
  }
  return trials;
}

async function tryWay<W, E>(
  probe: (way: W, ask: Ask) => Promise<Finding<E>>,
  way: W,
  row: Omit<CheckedWay, "status">,
  ask: Ask,
): Promise<Trial<W, E>> {
  try {
    const finding = await probe(way, ask);
    const notes = finding.status === "works" ? finding.notes : [finding.reason];
    return { way, row: { ...row, status: finding.status, notes }, finding };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { way, row: { ...row, status: "not_offered", notes: [error.message] }, finding: null };
  }
}

/** Whether a server that is there answered with an error: it does not offer what was asked for. */
function isRefusal(error: unknown): error is RequestError {
  return error instanceof RequestError && error.trouble !== "down" && error.status !== 0;
}
