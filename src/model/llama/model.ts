import type { LlamaModel } from "node-llama-cpp";
import type { Model, ModelIdentity } from "../model.js";
import { CachedSequence } from "./cached-sequence.js";
import { continuePrompt } from "./completer.js";
import { converse } from "./converse.js";
import { Embedder, poolingOf } from "./embedder.js";
import type { LlamaEngine } from "./engine.js";
import { fimPrompt, fimTokensOf } from "./fim.js";
import type { LlamaSettings } from "./settings.js";
import { SymbolScorer } from "./symbol-scorer.js";
import { TalkTemplate } from "./talk-template.js";
import { scoreText } from "./text-scorer.js";
import { tokenTextOf } from "./token-text.js";
import { beginning, type PromptTokenizer } from "./tokenize.js";
import { Turns } from "./turns.js";

interface LlamaParts {
  readonly engine: LlamaEngine;
  readonly identity: ModelIdentity;
  readonly settings: LlamaSettings;
  readonly tokenizer: PromptTokenizer;
  /** Whether every prompt is evaluated from scratch. */
  readonly fromScratch: boolean;
}

/** A GGUF model in this process. It has one sequence: what is asked at the same time is answered in turn. */
export function llamaModel(parts: LlamaParts): Model {
  const { engine, identity, settings, tokenizer } = parts;
  const turns = new Turns();
  const talk = new TalkTemplate(engine.model, settings.chatTemplate);
  const pooling = poolingOf(engine.model);
  const embedder = pooling === null ? null : new Embedder(engine, settings, pooling, turns);
  return {
    identity,
    threads: engine.threads.most,
    maxOpenGroups: 1,
    countTokens: async (prompt) => (await tokenizer.tokenize(prompt, new AbortController().signal)).length,
    ...(predictsNextToken(engine.model) && predictions(parts, turns, talk)),
    ...(embedder !== null && { embed: (text, signal) => embedder.embed(text, signal) }),
    async close() {
      await tokenizer.close();
      await talk.close();
      await embedder?.close();
      engine.threads.close();
      await engine.context.dispose();
      await engine.model.dispose();
      await engine.llama.dispose();
    },
  };
}

/** Encoders, such as BERT, read a text and predict nothing after it; those of T5 are half of a model. */
function predictsNextToken({ fileInsights, fileInfo }: LlamaModel): boolean {
  return !fileInsights.hasEncoder && fileInfo.architectureMetadata.attention?.causal !== false;
}

type Predictions = Pick<Model, "scoreSymbols" | "scoreTokens" | "complete" | "infill" | "converse" | "evaluatedTokens">;

function predictions({ engine, tokenizer, fromScratch }: LlamaParts, turns: Turns, talk: TalkTemplate): Predictions {
  const { model, context } = engine;
  const cache = new CachedSequence(context, fromScratch);
  const scorer = new SymbolScorer(model, cache, turns, tokenizer);
  const parts = { model, cache, turns, tokenText: tokenTextOf(model) };
  const fim = fimTokensOf(model);
  return {
    scoreSymbols: (group, signal) => scorer.score(group, signal),
    scoreTokens: (text, signal) => scoreText(parts, text, signal),
    async complete(request, signal) {
      const prompt = await tokenizer.tokenize(request.prompt, signal);
      return continuePrompt(parts, prompt, request, { signal, endsAtSpecial: false });
    },
    ...(fim !== null && {
      infill: (request, signal) => {
        const prompt = [...beginning(model), ...fimPrompt(model, fim, request.prompt, request.suffix)];
        return continuePrompt(parts, prompt, request, { signal, endsAtSpecial: true });
      },
    }),
    converse: (request, signal) => converse({ ...parts, engine, talk }, request, signal),
    evaluatedTokens: () => cache.evaluatedTokens,
  };
}
