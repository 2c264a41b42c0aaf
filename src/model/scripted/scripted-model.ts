import { createHash } from "node:crypto";
import { z } from "zod";
import { badInput, modelUnavailable } from "../../base/errors.js";
import { nearHint } from "../../base/near-names.js";
import { hash32 } from "../../base/random.js";
import type { ChoiceSymbol, Logprob } from "../../base/symbol.js";
import { jsonValue, shorten } from "../../base/text.js";
import type { Converse } from "../conversation.js";
import { type Model, type ModelIdentity, missingCapabilities, type OpenModelOptions } from "../model.js";
import { refuseSettings } from "../model-settings.js";
import {
  type IndexedReply,
  isThinking,
  pointsOf,
  type SymbolReply,
  type SymbolRequest,
  type SymbolScore,
  type Thoughts,
  thoughtLimit,
} from "../requests.js";
import { answerScript, named, noAnswer, noText, readAnswers, readLine, type Script, written } from "./answer-file.js";

/** Completion of rules that know no text: the empty one, which is a completion like others, and always wrong. */
const nothing: Script["complete"] = (request) => written("", request);

/** `always-A` (or any other letter): one symbol, whatever the question; the empty text. */
function always(letter: string): Script {
  const answer: Script["answer"] = ({ symbols }) => {
    const symbol = symbols.find((candidate) => candidate === letter);
    return symbol === undefined ? noAnswer(`the question has no symbol ${letter}`) : named(symbol);
  };
  return { answer, complete: nothing };
}

/** `oracle`: the right symbol, the right text. */
const oracle: Script = {
  answer: ({ key }) => named(key.correctSymbol),
  complete: (request) =>
    request.key === undefined ? noText("the prompt has no right text") : written(request.key.reference, request),
};

/**
 * `uniform`: each symbol with the same probability, independently for each order and each time that it is asked; a function
 * of seed, question, order and time alone, so that a resumed run draws what an uninterrupted one would have drawn. It writes
 * the empty text.
 */
function uniform(seed: number): Script {
  const answer: Script["answer"] = ({ key, symbols, repeat = 0 }) => {
    const withheld = key.ablation === undefined ? [] : [key.ablation];
    // The first time draws as it did before there were others.
    const time = repeat === 0 ? [] : [repeat];
    const place = [key.task, key.difficulty ?? "", key.exampleId, key.permutation, ...withheld, ...time].join("\u0000");
    const symbol = symbols[hash32(place, seed) % symbols.length];
    return symbol === undefined ? noAnswer("the question has no symbols") : named(symbol);
  };
  return { answer, complete: nothing };
}

/** Deterministic answers from a rule or a file, for tests and teaching. */
export async function openScripted(options: OpenModelOptions): Promise<Model> {
  refuseSettings(options.settings);
  const { identity, ...does } = await findScript(options);
  const model = scriptedModel(does, { provider: "scripted", ...identity });
  const missing = missingCapabilities(model, options.needs);
  if (missing === null) return model;
  throw modelUnavailable(
    `Expected a model that can ${missing}, found scripted:${shorten(options.name, 120)}, which cannot: a ` +
      "script has no probabilities of tokens and no vectors. Use --model tiny, a GGUF file of your own or a server.",
  );
}

type Identity = Readonly<Record<string, string | number>>;

/** Abilities of a script: it answers and completes, or talks. */
type Does = { readonly script: Script } | { readonly talk: Converse };

async function findScript({ name, seed }: OpenModelOptions): Promise<Does & { readonly identity: Identity }> {
  const letter = /^always-([A-Z])$/.exec(name)?.[1];
  if (letter !== undefined) return { script: always(letter), identity: { rule: name } };
  if (name === "oracle") return { script: oracle, identity: { rule: name } };
  if (name === "uniform") return { script: uniform(seed), identity: { rule: name, seed } };
  const thinker = scriptedThinker(name, seed);
  if (thinker !== null) return { script: thinker, identity: { rule: name, seed } };
  if (!/\.jsonl$/.test(name)) {
    throw badInput(
      `Expected scripted:always-A (or another letter), scripted:oracle, scripted:uniform, scripted:thinker or scripted:FILE.jsonl with answers, ` +
        `found scripted:${name}.${ruleHint(name)}`,
    );
  }
  const bytes = await readAnswers(name);
  const identity = { answers_sha256: createHash("sha256").update(bytes).digest("hex") };
  const text = bytes.toString("utf8");
  return isTalk(text) ? { talk: scriptedTalk(text, name), identity } : { script: answerScript(text, name), identity };
}

/** Names of scripts, and of what is an agent of a suite and no model. */
const [RULES, AGENTS] = [
  ["always-A", "oracle", "uniform", "thinker"],
  ["noop", "gold"],
];

function ruleHint(name: string): string {
  const isAgent = (near: string) => AGENTS.includes(near);
  return nearHint(name, [...RULES, ...AGENTS], (near) => `${isAgent(near) ? "--agent " : ""}scripted:${near}`);
}

/** Nothing is waited for but the disk: what many groups answer goes to the journal in one write. */
const GROUPS_AT_ONCE = 4;

function scriptedModel(does: Does, identity: ModelIdentity): Model {
  const common = { identity, close: () => Promise.resolve() };
  if ("talk" in does) return { ...common, maxOpenGroups: 1, converse: does.talk };
  const { script } = does;
  return {
    ...common,
    maxOpenGroups: GROUPS_AT_ONCE,
    async *scoreSymbols(group: readonly SymbolRequest[], signal: AbortSignal): AsyncGenerator<IndexedReply> {
      for (const [index, request] of group.entries()) {
        signal.throwIfAborted();
        yield { index, reply: script.answer(request) };
      }
    },
    async complete(request, signal) {
      signal.throwIfAborted();
      return script.complete(request);
    },
  };
}

/** A reply, and the texts that must all stand in the conversation. */
const talkLine = z.strictObject({ when: z.array(z.string()).default([]), says: z.string() });

/** `true` for an answer file of conversations: its first line says something. */
export function isTalk(text: string): boolean {
  const value = jsonValue(text.split("\n").find((line) => line.trim() !== "") ?? "");
  return typeof value === "object" && value !== null && "says" in value;
}

/**
 * Conversations by a file: a JSON object `{"when": [texts], "says": text}` a line. The first line all of whose texts
 * stand in what was said so far, letter by letter, is the reply; without one there is none (`refused`).
 * @throws ProbeError `bad_input` naming the line
 */
export function scriptedTalk(text: string, path: string): Converse {
  const expected = '{"when": [texts], "says": text}';
  const parse = (line: string, i: number) =>
    readLine(line, `${path}:${i + 1}`, expected, (value) => talkLine.parse(value));
  const lines = text.split("\n").flatMap((line, i) => (line.trim() === "" ? [] : [parse(line, i)]));
  return async (request, signal) => {
    signal.throwIfAborted();
    const said = request.messages.map(({ content }) => content ?? "").join("\n");
    const found = lines.find(({ when }) => when.every((part) => said.includes(part)));
    if (found === undefined)
      return { status: "failed", failure: "refused", detail: "the answer file has no line for this conversation" };
    const meter = { promptTokens: null, completionTokens: null, durationMs: 0 };
    return { status: "said", text: found.says, toolCalls: [], end: "stop", ...meter };
  };
}

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
    throw badInput(
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
  if (!isThinking(asked)) return null;
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
