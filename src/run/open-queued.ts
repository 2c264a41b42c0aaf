import { badInput } from "../base/errors.js";
import type { Model } from "../model/model.js";
import { recordedSettings } from "../model/resolved-model.js";
import { openQueueModel } from "../queue/queue-model.js";
import type { SuitePlan, SuiteRequest } from "./suite.js";

/**
 * The model of workers behind a queue.
 * @throws ProbeError `bad_input` where a run needs what no worker has or counts
 */
export async function openQueued(
  url: string,
  { opening, needs, isReserved }: SuitePlan,
  { model, subject, promptMode }: SuiteRequest<unknown>,
  { signal, onMessage }: { readonly signal: AbortSignal; readonly onMessage: (message: string) => void },
): Promise<Model> {
  if (opening.batch)
    throw badInput("Expected --batch or --queue, found both: workers ask question by question. Leave one out.");
  if (isReserved)
    throw badInput(
      "Expected --max-cost or --queue, found both: nobody counts what workers send again, or one that ended had sent. " +
        "Leave one out.",
    );
  if (subject != null) throw badInput(`Expected --model with --queue, found ${subject.label}: no worker has that.`);
  const { mode, seed, optionCount = null, think, offByDefault } = opening;
  return openQueueModel({
    url,
    label: model.label,
    settings: recordedSettings(model.settings),
    environment: process.env,
    signal,
    opening: {
      promptMode,
      mode,
      seed,
      optionCount,
      needs: [...needs],
      ...(think !== undefined && { think }),
      ...(offByDefault && { offByDefault }),
    },
    onMessage,
  });
}
