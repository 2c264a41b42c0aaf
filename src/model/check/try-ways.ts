import { RequestError } from "../http/request-error.js";
import { asModelDoes, changeNotes, learn } from "../wire/body-changes.js";
import type { Question } from "../wire/questions.js";
import type { Changeable, WireRequest } from "../wire/ways.js";
import type { CanaryMeasures, CheckedWay } from "./check-report.js";

/** A kind of way, as the check knows it. */
type CheckedKind = Changeable & { readonly name: string };

/** Asks one server one question. Throws RequestError. */
export type Ask = <T>(question: Question<T>) => Promise<T>;

/** Result of a check of one way; the evidence is for a comparison of servers. */
export type Finding<W, E> =
  | {
      readonly status: "works";
      readonly notes: readonly string[];
      readonly evidence: E;
      readonly measures?: CanaryMeasures;
      /** The way as it is used, where that is less than what was tried. */
      readonly used?: W;
    }
  | { readonly status: "refused"; readonly reason: string; readonly evidence?: E };

/** One way, tried or not. */
export interface TriedWay<W, E> {
  readonly way: W;
  readonly row: CheckedWay;
  /** `null`: it was not tried, or not offered. */
  readonly finding: Finding<W, E> | null;
}

/** Something that a model may be able to do, and the examination that finds it out. */
export interface Ability<W extends CheckedKind, E> {
  /** The `extraction` of a way's row. */
  readonly rowOf: (way: W) => string;
  readonly probe: (way: W, ask: Ask) => Promise<Finding<W, E>>;
  /** `true` where two servers of one model may have given this. */
  readonly agree: (mine: E, theirs: E) => boolean;
  /** Reason not to try a way after others; `null`: none. */
  readonly spared?: (way: W, tried: readonly TriedWay<W, E>[]) => string | null;
  /** A request in this way, with names such as `{prompt}` in the place of what is asked. */
  readonly example: (way: W) => WireRequest;
}

/**
 * Tries the ways in order until one works; those after it are not tried.
 * @throws RequestError when the server cannot be reached
 */
export async function tryWays<W extends CheckedKind, E>(
  ability: Ability<W, E>,
  ways: readonly W[],
  ask: Ask,
): Promise<TriedWay<W, E>[]> {
  const tried: TriedWay<W, E>[] = [];
  for (const way of ways) {
    const isFound = tried.some(({ row }) => row.status === "works");
    const spared = isFound ? null : (ability.spared?.(way, tried) ?? null);
    const notes = spared === null ? [] : [spared];
    if (isFound || spared !== null) {
      const row = rowOf(ability, way, "not_tried", notes);
      tried.push({ way, row, finding: null });
    } else {
      const isOffRefused = tried.some((earlier) => earlier.way.changes?.asModel);
      tried.push(await tryWay(ability, isOffRefused ? asModelDoes(way) : way, ask));
    }
  }
  return tried;
}

/** Tries one way, again without each parameter that is refused by name. */
async function tryWay<W extends CheckedKind, E>(ability: Ability<W, E>, way: W, ask: Ask): Promise<TriedWay<W, E>> {
  let sent: WireRequest | null = null;
  const seen: Ask = (question) =>
    ask({
      ...question,
      request: (prompt) => {
        sent = question.request(prompt);
        return sent;
      },
    });
  try {
    const finding = await ability.probe(way, seen);
    const notes = [...(finding.status === "works" ? finding.notes : [finding.reason]), ...changeNotes(way)];
    const measures = (finding.status === "works" && finding.measures) || null;
    return { way, row: { ...rowOf(ability, way, finding.status, notes), measures }, finding };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const learnt = sent === null ? null : learn(way, sent, error);
    if (learnt !== null) {
      const again = await tryWay(ability, learnt, ask);
      const isGuess = learnt.changes?.asModel && !error.refused.some((name) => way.off?.includes(name));
      // Refused without a word of thoughts too: it says nothing of them, for the ways that follow.
      return isGuess && again.finding === null ? { ...again, way } : again;
    }
    return { way, row: rowOf(ability, way, "not_offered", [error.message]), finding: null };
  }
}

/** The row of a way in the report of a check. */
export function rowOf<W extends CheckedKind>(
  { rowOf: extraction }: Pick<Ability<W, never>, "rowOf">,
  way: W,
  status: CheckedWay["status"],
  notes: readonly string[],
): CheckedWay {
  return { way: way.name, extraction: extraction(way), status, notes, measures: null };
}

/** `true` where a server that is there answered with an error: it does not offer what was asked for. */
function isRefusal(error: unknown): error is RequestError {
  return error instanceof RequestError && error.trouble !== "down" && error.status !== 0;
}
