import type { WrittenCompletion } from "../extraction/completion-reply.js";
import type { CompletionWay, InfillWay } from "../extraction/way.js";
import { completionQuestion, infillQuestion } from "../server/server-completions.js";
import type { Ability, Finding } from "./trial.js";

/** A few tokens, greedy. */
const TINY = { maxTokens: 8, stop: [], temperature: 0, topK: null, seed: 0 } as const;
const SENTENCE = "The capital of France is the city of";
const GAP = "def add(a, b):\n    return ";
const SUFFIXES = ["\n", "\n\n\ndef subtract(a, b):\n    return a - b\n\n\nassert add(1, 2) == 3\n"] as const;

/** Whether a server continues a prompt. What it writes says nothing of two servers: a near tie may go either way. */
export const COMPLETION: Ability<CompletionWay, null> = {
  extraction: "completion",
  probe: async (way, ask) => {
    const { text, end } = await ask(completionQuestion(way, { ...TINY, prompt: SENTENCE }));
    // A model that thinks first is not done in a few tokens.
    const isCut = (text ?? "") === "" && end === "length";
    return works([
      ...(isCut ? [`wrote no text in ${TINY.maxTokens} tokens: it may reason first, and needs room`] : []),
    ]);
  },
  agree: () => true,
};

/** Whether a server fills a gap, or ignores what comes after it and continues the text. */
export const INFILL: Ability<InfillWay, null> = {
  extraction: "infill",
  probe: async (way, ask) => {
    const written: WrittenCompletion[] = [];
    for (const suffix of SUFFIXES) written.push(await ask(infillQuestion(way, { ...TINY, prompt: GAP, suffix })));
    const fault = faultOfSuffix(written);
    return fault === null ? works([]) : { status: "refused", reason: fault };
  },
  agree: () => true,
};

function works(notes: readonly string[]): Finding<null> {
  return { status: "works", notes, evidence: null };
}

/** A longer suffix makes a longer prompt; where the prompt's tokens are not counted, the text must follow the suffix. */
function faultOfSuffix([short, long]: readonly WrittenCompletion[]): string | null {
  const [less, more] = [short?.promptTokens ?? null, long?.promptTokens ?? null];
  if (less !== null && more !== null)
    return more > less
      ? null
      : `counted ${more} prompt tokens with a long suffix and ${less} with a short: it ignores suffix`;
  return short?.text === long?.text ? "wrote the same text whatever comes after the gap: it ignores suffix" : null;
}
