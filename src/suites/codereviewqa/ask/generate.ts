import type { PromptTemplate } from "../../../question/prompt.js";
import type { OpenJournal, Performance } from "../../../run/suite.js";
import type { Generation } from "../answer/generation.js";
import { assembleGeneration, GENERATION_JOURNAL } from "../answer/generation.js";
import { requireSameQuestion } from "../answer/question-fields.js";
import { askEach } from "./ask.js";
import { type OpenRequest, openRequest } from "./open-request.js";
import { plannedOpenQuestions, type RunPlan, templatesByTask } from "./plan.js";

/** Has the model answer the open questions that the journal does not hold yet; ends as `askQuestions` does. */
export async function askOpenQuestions(plan: RunPlan, session: Performance): Promise<void> {
  const templates = templatesByTask(plan);
  await session.withJournal(GENERATION_JOURNAL, (journal) =>
    askEach(session, plannedOpenQuestions(plan), async (question) => {
      const template = templates.get(question.task) as PromptTemplate;
      const asked = openRequest(question, template, plan.request.selection.seed);
      const { task, exampleId, language, changeType } = asked.place;
      for (const recorded of await journal.recordsOf(question.index)) {
        const planned = { task, exampleId, language, changeType, promptSha256: asked.promptSha256 };
        requireSameQuestion(GENERATION_JOURNAL.file, recorded, planned);
      }
      if (!journal.isDone(question.index, 0)) await generate(session, journal, asked);
    }),
  );
}

async function generate(
  { model, guard, signal, onRecord }: Performance,
  journal: OpenJournal<Generation>,
  { place, request, promptSha256 }: OpenRequest,
): Promise<void> {
  if (model.complete === undefined) throw new Error("Expected a model that continues prompts.");
  const generation = assembleGeneration(place, await model.complete(request, signal), promptSha256);
  await journal.append(generation);
  onRecord({ isFailed: generation.outcome.status === "failed" });
  guard.isHopeless(generation);
}
