import { sha256 } from "../../../base/sha256.js";
import { symbolsFor } from "../../../base/symbol.js";
import type { SymbolRequest } from "../../../model/requests.js";
import { ablationField } from "../../../question/form.js";
import { orderName, permutationsOf } from "../../../question/permutations.js";
import { type PromptTemplate, renderPrompt } from "../../../question/prompt.js";
import type { Question } from "../../../question/question.js";
import type { AnswerPlace } from "../answer/answer.js";
import { correctSymbol, type ShownOptions } from "../answer/assemble-answer.js";

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
