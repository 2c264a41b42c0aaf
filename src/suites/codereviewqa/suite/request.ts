import type { SuiteRequest } from "../../../run/suite.js";
import type { RunRequest } from "../ask/request.js";
import type { RunValues } from "../options.js";
import type { RunFile } from "../record/run-file.js";
import { probeFiles } from "./own-probes.js";

/** What the options of a run ask for. */
export async function runRequest(request: SuiteRequest<RunValues, RunFile>): Promise<RunRequest> {
  const { values, model, connection, promptMode, price, workingDirectory, resumed } = request;
  const own = await probeFiles({ named: values.probe, resumed, workingDirectory, environment: process.env });
  return {
    model,
    connection,
    promptMode,
    price,
    tasks: values.task,
    difficulties: values.difficulty,
    ablate: values.ablate,
    dataset: values.dataset ?? "starter",
    selection: { languages: values.language, sample: values.sample, seed: values.seed, limit: values.limit },
    shard: request.shard ?? null,
    mode: values.mode,
    earlyStop: values.earlyStop,
    skipInvalid: values.skipInvalid,
    probes: own.files,
    namedProbes: own.named,
  };
}
