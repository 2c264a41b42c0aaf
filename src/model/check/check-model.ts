import type { Model } from "../model.js";
import type { SymbolReply, SymbolRequest } from "../requests.js";
import type { ReportedPosition } from "../wire/reported-tokens.js";
import { CANARY_SYMBOLS, canaryPrompts, judgeCanaries } from "./canaries.js";
import type { CheckedWay, CheckReport } from "./check-report.js";
import { conversationRows } from "./conversation.js";

/** The report of a model's check: the one it was opened with, or that of the canaries asked now. */
export async function checkModel(model: Model): Promise<CheckReport> {
  return model.check ?? { endpoints: [], server: {}, ...(await askCanaries(model)), forced: false, request: null };
}

async function askCanaries(model: Model): Promise<Pick<CheckReport, "ways" | "chosen">> {
  const talk = model.converse === undefined ? [] : await conversationRows(model.converse.bind(model));
  const { ways, chosen } = await askSymbols(model);
  return { ways: [...ways, ...talk], chosen };
}

async function askSymbols(model: Model): Promise<Pick<CheckReport, "ways" | "chosen">> {
  const symbols = CANARY_SYMBOLS;
  const canaries = canaryPrompts();
  const group = canaries.map(({ text, right }, i): SymbolRequest => {
    const [first] = symbols;
    if (first === undefined) throw new Error("Expected symbols.");
    const key = {
      task: "canary",
      difficulty: null,
      exampleId: "canary",
      permutationIndex: i,
      permutation: "",
      correctSymbol: right ?? first,
    };
    return { prompt: text, symbols, key };
  });
  const replies: SymbolReply[] = [];
  for await (const { index, reply } of model.scoreSymbols?.(group, new AbortController().signal) ?? [])
    replies[index] = reply;
  const way = wayOf(replies, () =>
    judgeCanaries(
      canaries.map((canary, i) => ({ canary, position: positionOf(replies[i]) })),
      { symbols, listLength: Number.POSITIVE_INFINITY, isGuided: false },
    ),
  );
  return { ways: [way], chosen: way.status === "works" ? way.way : null };
}

function wayOf(replies: readonly SymbolReply[], judge: () => ReturnType<typeof judgeCanaries>): CheckedWay {
  if (replies.some(({ status }) => status === "named")) {
    return {
      way: "script",
      extraction: "scripted",
      status: "works",
      notes: ["names a symbol, without probabilities"],
      measures: null,
    };
  }
  const verdict = judge();
  const common = { way: "whole vocabulary, in process", extraction: "full" };
  return verdict.status === "works"
    ? { ...common, status: "works", notes: verdict.warnings, measures: verdict.measures }
    : { ...common, status: "refused", notes: [verdict.reason], measures: null };
}

function positionOf(reply: SymbolReply | undefined): ReportedPosition | null {
  if (reply?.status !== "scored") return null;
  const top = [...reply.scores].flatMap(([symbol, score]) =>
    score.status === "known" ? [{ bytes: Buffer.from(symbol), logprob: score.logprob }] : [],
  );
  return { sampled: null, top: top.sort((a, b) => b.logprob - a.logprob) };
}
