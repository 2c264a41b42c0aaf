import { sha256 } from "../../../base/sha256.js";
import { symbolsFor } from "../../../base/symbol.js";
import type { CompletionRequest, SymbolRequest } from "../../../model/requests.js";
import { ablationField } from "../../../question/form.js";
import { designedOrders, orderName, permutationsOf } from "../../../question/permutations.js";
import { fillTemplate, type PromptTemplate, renderPrompt } from "../../../question/prompt.js";
import type { OpenQuestion, Question } from "../../../question/question.js";
import type { AnswerPlace } from "../answer/answer.js";
import { correctSymbol, type ShownOptions } from "../answer/assemble-answer.js";
import type { GenerationPlace } from "../answer/generation.js";
import { EVERY_ORDER } from "../record/run-file.js";
import type { RunRequest } from "./count-plan.js";

/** One order of one question, ready to be asked. */
export interface QuestionOrder {
  readonly place: AnswerPlace;
  readonly shown: ShownOptions;
  readonly request: SymbolRequest;
  readonly promptSha256: string;
}

/** Part of the request for a run that says how a question is asked. */
export type Manner = Pick<RunRequest, "design" | "think" | "trace" | "selection">;

/** All that is asked of a question: each of its orders, then each once more. */
export function questionOrders(question: Question, template: PromptTemplate, manner: Manner): QuestionOrder[] {
  const { design = EVERY_ORDER } = manner;
  const times = Array.from({ length: design.repeats }, (_, repeat) => repeat);
  const once = ordersOnce(question, template, manner);
  if (design.repeats === 1) return once;
  return times.flatMap((repeat) =>
    once.map((order) => {
      const place = { ...order.place, repeat };
      return { ...order, place, request: { ...order.request, key: place, repeat } };
    }),
  );
}

function ordersOnce(question: Question, template: PromptTemplate, manner: Manner): QuestionOrder[] {
  const { design = EVERY_ORDER, think, trace, selection } = manner;
  const optionCount = question.options.length;
  const symbols = symbolsFor(optionCount);
  const all = permutationsOf(optionCount);
  const thoughts = { ...(think !== undefined && { think }), ...(trace !== undefined && { trace }) };
  return designedOrders(question, optionCount, design.orders, selection.seed).map((permutationIndex) => {
    const order = all[permutationIndex] ?? [];
    const shown = { symbols, order };
    const place: AnswerPlace = {
      questionIndex: question.index,
      task: question.task,
      difficulty: question.difficulty,
      ...ablationField(question.ablation),
      exampleId: question.exampleId,
      language: question.language,
      changeType: question.changeType,
      permutationIndex,
      permutation: orderName(order),
      correctSymbol: correctSymbol(shown),
    };
    const prompt = renderPrompt(template, question, order);
    return { place, shown, promptSha256: sha256(prompt), request: { prompt, symbols, key: place, ...thoughts } };
  });
}

/** Generations are greedy, as in the paper. */
export const TEMPERATURE = 0;

/** An open question, ready to be asked. */
export interface OpenRequest {
  readonly place: GenerationPlace;
  readonly request: CompletionRequest;
  readonly promptSha256: string;
}

export function openRequest(question: OpenQuestion, template: PromptTemplate, seed: number): OpenRequest {
  const { index, stem, stop, maxTokens, ...rest } = question;
  const place: GenerationPlace = { generationIndex: index, ...rest };
  const prompt = fillTemplate(template, stem);
  const { task, exampleId, reference } = place;
  return {
    place,
    promptSha256: sha256(prompt),
    request: {
      prompt,
      maxTokens,
      stop,
      seed,
      temperature: TEMPERATURE,
      topK: null,
      key: { task, exampleId, reference },
    },
  };
}
