import { sha256 } from "../../../base/sha256.js";
import type { CompletionRequest } from "../../../model/requests.js";
import { fillTemplate, type PromptTemplate } from "../../../question/prompt.js";
import type { OpenQuestion } from "../../../question/question.js";
import type { GenerationPlace } from "../answer/generation.js";

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
      ...{ prompt, maxTokens, stop, seed },
      temperature: TEMPERATURE,
      topK: null,
      key: { task, exampleId, reference },
    },
  };
}
