import { createHash } from "node:crypto";
import { ProbeError } from "../../domain/errors.js";
import { hash32 } from "../../domain/random.js";
import { printable } from "../../domain/text.js";
import type { IndexedReply, Model, ModelIdentity, ModelProvider, OpenModelOptions, SymbolRequest } from "../model.js";
import { readAnswerFile } from "./answer-file.js";
import { named, noAnswer, type Script } from "./script.js";

/** `always-A` (B, C, D): one symbol, whatever the question. */
function always(letter: string): Script {
  return ({ symbols }) => {
    const symbol = symbols.find((candidate) => candidate === letter);
    return symbol === undefined ? noAnswer(`the question has no symbol ${letter}`) : named(symbol);
  };
}

/** `oracle`: the right symbol. */
const oracle: Script = ({ key }) => named(key.correctSymbol);

/**
 * `uniform`: each symbol with the same probability, independently for each order; a function of seed, question and
 * order alone, so that a resumed run draws what an uninterrupted one would have drawn.
 */
function uniform(seed: number): Script {
  return ({ key, symbols }) => {
    const place = [key.task, key.difficulty ?? "", key.exampleId, key.permutation].join("\u0000");
    const symbol = symbols[hash32(place, seed) % symbols.length];
    return symbol === undefined ? noAnswer("the question has no symbols") : named(symbol);
  };
}

/** Deterministic answers from a rule or a file, for tests and teaching. */
export const scriptedProvider: ModelProvider = {
  async open({ name, seed }: OpenModelOptions): Promise<Model> {
    const rule = /^always-([A-D])$/.exec(name);
    if (rule?.[1] !== undefined) return scriptedModel(always(rule[1]), { provider: "scripted", rule: name });
    if (name === "oracle") return scriptedModel(oracle, { provider: "scripted", rule: name });
    if (name === "uniform") return scriptedModel(uniform(seed), { provider: "scripted", rule: name, seed });
    if (!/\.jsonl$/.test(name)) {
      throw new ProbeError(
        "bad_input",
        `Expected scripted:always-A (B, C, D), scripted:oracle, scripted:uniform or scripted:FILE.jsonl with answers, ` +
          `found scripted:${printable(name)}.`,
      );
    }
    const { script, bytes } = await readAnswerFile(name);
    return scriptedModel(script, {
      provider: "scripted",
      answers_sha256: createHash("sha256").update(bytes).digest("hex"),
    });
  },
};

function scriptedModel(script: Script, identity: ModelIdentity): Model {
  return {
    identity,
    maxOpenGroups: 1,
    async *scoreSymbols(group: readonly SymbolRequest[], signal: AbortSignal): AsyncGenerator<IndexedReply> {
      for (const [index, request] of group.entries()) {
        signal.throwIfAborted();
        yield { index, reply: script(request) };
      }
    },
    close: () => Promise.resolve(),
  };
}
