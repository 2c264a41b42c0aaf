import { z } from "zod";
import { ProbeError } from "../../base/errors.js";
import { hash32 } from "../../base/random.js";
import type { ChoiceSymbol, Logprob } from "../../base/symbol.js";
import {
  pointsOf,
  type SymbolReply,
  type SymbolRequest,
  type SymbolScore,
  type Thoughts,
  thoughtLimit,
} from "../requests.js";
import type { Script } from "./answer-file.js";
import { written } from "./answer-file.js";

const share = z.coerce.number().min(0).max(1);

/** Known effects of a scripted thinker, by which analyses are tried: each is found again or the analysis is wrong. */
const effectsSchema = z.strictObject({
  /** Share of questions whose right option it knows; of the others it believes one wrong option. */
  right: share.default(0.8),
  /** Probability that an order makes it choose at random, the same each time. */
  order: share.default(0),
  /** Probability that a time makes it choose at random. */
  chance: share.default(0),
  /** Probability of saying the first letter after the longest thoughts; it grows with their length from 0. */
  place: share.default(0),
  /** Part of the thoughts after which its answer is settled; before it, each part is followed by a random one. */
  settles: share.default(0),
});
type Effects = z.infer<typeof effectsSchema>;

/** Tokens of the longest thoughts; the shortest have 1. */
const LONGEST = 200;
/** Probability of the letter that it says. */
const SURE = 0.97;
const BYTES_A_TOKEN = 4;

/**
 * `thinker`, or `thinker?order=0.2&chance=0.1&…`: a script with known effects (see `effectsSchema`). A function of seed,
 * question, order and repeat alone. `null`: another name.
 * @throws ProbeError `bad_input` naming the effect
 */
export function scriptedThinker(name: string, seed: number): Script | null {
  const [rule, query = ""] = name.split("?", 2);
  if (rule !== "thinker") return null;
  const parsed = effectsSchema.safeParse(Object.fromEntries(new URLSearchParams(query)));
  if (!parsed.success) {
    const known = Object.keys(effectsSchema.shape).join(", ");
    throw new ProbeError(
      "bad_input",
      `Expected scripted:thinker?NAME=SHARE&… with ${known} from 0 to 1, found:\n${z.prettifyError(parsed.error)}`,
    );
  }
  const effects = parsed.data;
  return { answer: (request) => think(effects, request, seed), complete: (request) => written("", request) };
}

/** Uniform draw from 0 to 1, the same for the same words. */
type Draw = (name: string, ...words: readonly (string | number)[]) => number;

function think(effects: Effects, request: SymbolRequest, seed: number): SymbolReply {
  const { symbols, key, repeat = 0 } = request;
  const question = [key.task, key.difficulty ?? "", key.ablation ?? "", key.exampleId];
  const draw: Draw = (name, ...words) => hash32(JSON.stringify([name, ...question, ...words]), seed) / 2 ** 32;
  const thoughts = thoughtsOf(request, draw);
  const random = (...words: readonly (string | number)[]) =>
    symbols[Math.floor(draw(...(words as [string])) * symbols.length)] ?? key.correctSymbol;
  const time = [key.permutation, repeat];
  const isDrawnTo = draw("place", ...time) < (effects.place * (thoughts?.tokens ?? 0)) / LONGEST;
  const said = isDrawnTo
    ? (symbols[0] ?? key.correctSymbol)
    : draw("chance", ...time) < effects.chance
      ? random("any time", ...time)
      : draw("order", key.permutation) < effects.order
        ? random("any order", key.permutation)
        : believed(effects, request, draw);
  const trace = tracePoints(request, thoughts).map((tokens) => {
    const isSettled = tokens >= effects.settles * (thoughts?.tokens ?? 0);
    return { tokens, scores: scoresOf(symbols, isSettled ? said : random("before", tokens, ...time)) };
  });
  return {
    status: "scored",
    scores: scoresOf(symbols, said),
    extraction: "scripted",
    promptTokens: Math.ceil(Buffer.byteLength(request.prompt) / BYTES_A_TOKEN),
    cachedTokens: null,
    durationMs: 0,
    ...(thoughts && {
      completionTokens: (thoughts.tokens ?? 0) + 1,
      thoughts: { ...thoughts, ...(trace.length > 0 && { trace }) },
    }),
  };
}

/** Symbol of the option that it believes to be right. */
function believed({ right }: Effects, { symbols, key }: SymbolRequest, draw: Draw): ChoiceSymbol {
  if (draw("right") < right) return key.correctSymbol;
  const wrong = 1 + Math.floor(draw("wrong") * (symbols.length - 1));
  const order = key.permutation.includes("-") ? key.permutation.split("-") : [...key.permutation];
  return symbols[order.indexOf(String(wrong))] ?? key.correctSymbol;
}

function thoughtsOf({ think: asked, key, repeat = 0 }: SymbolRequest, draw: Draw): Thoughts | null {
  if (asked === undefined || asked === "off") return null;
  // Half of it is the question's own: some take longer to think about, under any order.
  const length = (draw("length of the question") + draw("length", key.permutation, repeat)) / 2;
  const wanted = 1 + Math.floor(length * LONGEST);
  const tokens = Math.min(wanted, thoughtLimit(asked));
  return { text: `Thoughts of ${tokens} tokens.`, tokens, end: tokens < wanted ? "forced" : "closed" };
}

function tracePoints({ trace = 0 }: SymbolRequest, thoughts: Thoughts | null): number[] {
  const tokens = thoughts?.tokens ?? 0;
  return tokens === 0 ? [] : pointsOf(tokens, trace);
}

function scoresOf(symbols: readonly ChoiceSymbol[], said: ChoiceSymbol): ReadonlyMap<ChoiceSymbol, SymbolScore> {
  const other = (1 - SURE) / Math.max(1, symbols.length - 1);
  return new Map(
    symbols.map((symbol) => [
      symbol,
      { status: "known", logprob: Math.log(symbol === said ? SURE : other) as Logprob },
    ]),
  );
}
