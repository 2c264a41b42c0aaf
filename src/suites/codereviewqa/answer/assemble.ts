import type { SymbolReply } from "../../../model/requests.js";
import type { Answer, AnswerPlace } from "./answer.js";
import { chooseAnswer, type ShownOptions } from "./choose.js";

/** Everything the run records about one reply. */
export function assembleAnswer(
  place: AnswerPlace,
  shown: ShownOptions,
  reply: SymbolReply,
  promptSha256: string,
): Answer {
  const logprobs = reply.status === "scored" ? logprobsOf(reply, shown) : [];
  const answer: Answer = {
    questionIndex: place.questionIndex,
    task: place.task,
    difficulty: place.difficulty,
    exampleId: place.exampleId,
    language: place.language,
    changeType: place.changeType,
    permutationIndex: place.permutationIndex,
    permutation: place.permutation,
    correctSymbol: place.correctSymbol,
    outcome: chooseAnswer(reply, shown),
    logprobs,
    symbolMass: symbolMass(logprobs),
    extraction: reply.status === "failed" ? null : reply.extraction,
    promptTokens: reply.promptTokens,
    cachedTokens: reply.cachedTokens,
    durationMs: reply.durationMs,
    promptSha256,
  };
  return place.ablation === undefined ? answer : { ...answer, ablation: place.ablation };
}

function logprobsOf(reply: SymbolReply & { status: "scored" }, { symbols }: ShownOptions): Answer["logprobs"] {
  return symbols.map((symbol) => {
    const score = reply.scores.get(symbol);
    return { symbol, logprob: score?.status === "known" ? score.logprob : null };
  });
}

/** How much the model wanted to answer with a symbol at all (0–1); `null` unless every symbol is known. */
export function symbolMass(logprobs: Answer["logprobs"]): number | null {
  if (logprobs.length === 0) return null;
  let mass = 0;
  for (const { logprob } of logprobs) {
    if (logprob === null) return null;
    mass += Math.exp(logprob);
  }
  return mass;
}
