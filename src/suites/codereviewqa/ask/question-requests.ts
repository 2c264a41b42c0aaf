import { sha256 } from "../../../base/sha256.js";
import { symbolsFor } from "../../../base/symbol.js";
import type { CompletionRequest, SymbolRequest } from "../../../model/requests.js";
import { ablationField } from "../../../question/form.js";
import { orderName, permutationsOf } from "../../../question/permutations.js";
import { fillTemplate, type PromptTemplate, renderPrompt } from "../../../question/prompt.js";
import type { OpenQuestion, Question } from "../../../question/question.js";
import type { AnswerPlace } from "../answer/answer.js";
import { correctSymbol, type ShownOptions } from "../answer/assemble-answer.js";
import type { GenerationPlace } from "../answer/generation.js";

/** One order of one question, ready to be asked. */
export interface QuestionOrder {
  readonly place: AnswerPlace;
  readonly shown: ShownOptions;
  readonly request: SymbolRequest;
  readonly promptSha256: string;
}

/** All N! orders of a question. */
export function questionOrders(question: Question, template: PromptTemplate): QuestionOrder[] {
  const symbols = symbolsFor(question.options.length);
  return permutationsOf(question.options.length).map((order, permutationIndex) => {
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
    return { place, shown, promptSha256: sha256(prompt), request: { prompt, symbols, key: place } };
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
