import { assembleGeneration } from "../answer/assemble-generation.js";
import type { Generation } from "../example/generation.js";
import type { PromptTemplate } from "../question/template.js";
import { type AskOptions, askEach, type OpenJournal } from "./ask.js";
import { type OpenRequest, openRequest } from "./open-request.js";
import { plannedOpenQuestions, templatesByTask } from "./plan.js";

type AskOpen = AskOptions & OpenJournal<Generation>;

/** Has the model answer the open questions that the journal does not hold yet; ends as `askQuestions` does. */
export async function askOpenQuestions(options: AskOpen): Promise<void> {
  const { plan } = options;
  const templates = templatesByTask(plan);
  await askEach(options, plannedOpenQuestions(plan), async (question) => {
    if (options.index.isAnswered(question.index, 0)) return;
    const template = templates.get(question.task) as PromptTemplate;
    await generate(options, openRequest(question, template, plan.request.selection.seed));
  });
}

async function generate(
  { model, journal, guard, signal, onRecord }: AskOpen,
  { place, request, promptSha256 }: OpenRequest,
): Promise<void> {
  if (model.complete === undefined) throw new Error("Expected a model that continues prompts.");
  const generation = assembleGeneration(place, await model.complete(request, signal), promptSha256);
  await journal.append(generation);
  onRecord(generation);
  guard.isHopeless(generation);
}
