import type { Model } from "../model.js";
import type { SymbolReply, SymbolRequest } from "../requests.js";
import type { ReportedPosition } from "../wire/reported-tokens.js";
import { CANARY_SYMBOLS, type CanaryPrompt, canaryPrompts, examineCanaries } from "./canaries.js";
import type { CheckedWay, CheckReport } from "./check-report.js";
import { conversationRows } from "./conversation-check.js";

/** The report of a model's check: the one it was opened with, or that of the canaries asked now. */
export async function checkModel(model: Model): Promise<CheckReport> {
  if (model.check !== undefined) return model.check;
  const talk = model.converse === undefined ? [] : await conversationRows(model.converse.bind(model));
  const symbols = await askSymbols(model);
  return {
    endpoints: [],
    server: {},
    ways: [symbols, ...talk],
    chosen: symbols.status === "works" ? symbols.way : null,
    forced: false,
    request: null,
  };
}

async function askSymbols(model: Model): Promise<CheckedWay> {
  const canaries = canaryPrompts();
  const replies: SymbolReply[] = [];
  const group = canaries.map(requestOf);
  for await (const { index, reply } of model.scoreSymbols?.(group, new AbortController().signal) ?? [])
    replies[index] = reply;
  if (replies.some(({ status }) => status === "named")) {
    const notes = ["names a symbol, without probabilities"];
    return { way: "script", extraction: "scripted", status: "works", notes, measures: null };
  }
  const found = examineCanaries(
    canaries.map((canary, i) => ({ canary, position: positionOf(replies[i]) })),
    { listLength: Number.POSITIVE_INFINITY, isGuided: false },
  );
  const row = { way: "whole vocabulary, in process", extraction: "full", status: found.status };
  return found.status === "works"
    ? { ...row, notes: found.warnings, measures: found.measures }
    : { ...row, notes: [found.reason], measures: null };
}

function requestOf({ text, right }: CanaryPrompt, permutationIndex: number): SymbolRequest {
  const correctSymbol = right ?? CANARY_SYMBOLS[0];
  if (correctSymbol === undefined) throw new Error("Expected symbols.");
  const key = {
    task: "canary",
    difficulty: null,
    exampleId: "canary",
    permutationIndex,
    permutation: "",
    correctSymbol,
  };
  return { prompt: text, symbols: CANARY_SYMBOLS, key };
}

function positionOf(reply: SymbolReply | undefined): ReportedPosition | null {
  if (reply?.status !== "scored") return null;
  const top = [...reply.scores].flatMap(([symbol, score]) =>
    score.status === "known" ? [{ bytes: Buffer.from(symbol), logprob: score.logprob }] : [],
  );
  return { sampled: null, top: top.sort((a, b) => b.logprob - a.logprob) };
}
