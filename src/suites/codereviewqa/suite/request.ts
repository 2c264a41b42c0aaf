import type { SuiteRequest } from "../../../run/suite.js";
import type { RunRequest } from "../ask/request.js";
import type { RunValues } from "../options.js";

/** What the options of a run ask for. */
export function runRequest({ values, model, connection, promptMode, price }: SuiteRequest<RunValues>): RunRequest {
  return {
    model,
    connection,
    promptMode,
    price,
    tasks: values.task,
    difficulties: values.difficulty,
    dataset: values.dataset ?? "starter",
    selection: { languages: values.language, sample: values.sample, seed: values.seed, limit: values.limit },
    mode: values.mode,
    earlyStop: values.earlyStop,
    skipInvalid: values.skipInvalid,
  };
}
