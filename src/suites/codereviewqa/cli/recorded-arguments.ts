import { readRunFile } from "../record/run-file.js";
import type { RunArguments } from "./run-arguments.js";

/** The arguments of the run in `folder`, under those given now: what is given anew must agree, or the run is refused. */
export async function withRecorded(given: RunArguments, folder: string): Promise<RunArguments> {
  const { model, dataset, parameters, probes = [] } = await readRunFile(folder);
  const text = (name: string): string | undefined => {
    const value = parameters[name];
    return value === null || value === undefined ? undefined : String(value);
  };
  const texts = (name: string): string[] => [parameters[name] ?? []].flat().map(String);
  const recorded: RunArguments = {
    model: model.label,
    dataset: dataset.source,
    task: texts("tasks"),
    recordedProbes: probes,
    difficulty: texts("difficulties"),
    language: texts("languages"),
    sample: text("sample"),
    seed: text("seed"),
    limit: text("limit"),
    promptMode: text("prompt_mode"),
    mode: text("mode"),
    earlyStop: parameters["early_stop"] === true,
    modelArg: texts("model_args"),
    skipInvalid: parameters["skip_invalid"] === true,
    baseUrl: model.connection.base_urls,
    apiKeyEnv: model.connection.api_key_env ?? undefined,
    apiKeyFile: model.connection.api_key_file ?? undefined,
    concurrency: model.connection.concurrency === null ? undefined : String(model.connection.concurrency),
    allowGenerated: model.connection.allow_generated,
    force: model.connection.force,
  };
  const now = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return { ...recorded, ...now };
}
