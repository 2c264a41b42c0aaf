import { badInput } from "../base/errors.js";
import type { ConnectionOptions } from "../model/model.js";
import { loadAliases } from "../model/model-aliases.js";
import type { ModelAsks } from "../model/model-asks.js";
import { type ResolvedModel, resolveModel, withSettings } from "../model/resolved-model.js";
import { type ConnectionValues, connectionOf, MODEL_OPTION, MODEL_OPTIONS } from "./model-options.js";
import {
  type GivenOptions,
  type OptionTable,
  type OptionValues,
  parseOptions,
  type RecordedRequest,
  settings,
} from "./option.js";
import { withRecorded } from "./recorded-options.js";

/** Record that is resumed, and the file it is in, as a person knows it. */
export interface Recorded {
  readonly record: RecordedRequest;
  readonly holder: string;
}

/** Options of a command: those that were given, over those of the record that is resumed. */
export interface RecalledOptions {
  readonly whole: GivenOptions;
  /** Files in which the options that reach a model stand; absent: they were given, or there are none. */
  readonly foundIn: {
    readonly baseUrl?: string;
    readonly apiKey?: string;
    readonly modelArg?: string;
    /** The model itself. */
    readonly model?: string;
  };
}

/** Options as they were given, with those of a record under them. A key source that is given replaces a recorded one, a model its settings too. */
export function recallOptions(table: OptionTable, given: GivenOptions, recorded: Recorded | null): RecalledOptions {
  if (recorded === null) return { whole: given, foundIn: {} };
  const isGiven = (name: keyof typeof MODEL_OPTIONS) => given[name] !== undefined;
  const hasKey = isGiven("apiKeyEnv") || isGiven("apiKeyFile");
  const { apiKeyEnv, apiKeyFile, model, modelArg } = given;
  const { holder, record } = recorded;
  // Another model has none of the recorded one's settings: the difference of the models is what is told.
  const isOther = model !== undefined && model !== record.model.label;
  return {
    whole: {
      ...withRecorded(table, given, record),
      ...(hasKey && { apiKeyEnv, apiKeyFile }),
      ...(isOther && { modelArg }),
    },
    foundIn: {
      ...(!isGiven("baseUrl") && { baseUrl: holder }),
      ...(!hasKey && { apiKey: holder }),
      ...(!isGiven("modelArg") && { modelArg: holder }),
    },
  };
}

type ModelValues = ConnectionValues &
  Pick<OptionValues<typeof MODEL_OPTIONS>, "modelArg"> & { readonly model: string | null };

/** The model that the options name, and how it is reached; what a file named of that is marked so. */
export async function askedModel(
  values: ModelValues,
  { baseUrl, apiKey, modelArg, model: namedBy }: RecalledOptions["foundIn"],
  workingDirectory: string,
): Promise<{ readonly model: ResolvedModel; readonly connection: ConnectionOptions }> {
  const foundIn = { ...(baseUrl !== undefined && { baseUrl }), ...(apiKey !== undefined && { apiKey }) };
  const model = await namedModel(values, workingDirectory, modelArg ?? null);
  return {
    model: namedBy === undefined ? model : { ...model, namedBy },
    connection: connectionOf(values, model, foundIn),
  };
}

/**
 * The model that `--model` names, with the settings of `--model-arg`.
 * @param holder the file that `--model-arg` comes from; `null`: it was given
 * @throws ProbeError `bad_input` when there is none, or it means nothing
 */
export async function namedModel(
  given: { readonly model: string | null; readonly modelArg: readonly string[] },
  workingDirectory: string,
  holder: string | null = null,
): Promise<ResolvedModel> {
  const { model: label } = given;
  const aliases = await loadAliases(workingDirectory);
  if (label === null) {
    const names = [...aliases.keys()].join(", ");
    throw badInput(`Expected --model with an alias (${names}), a .gguf file or provider:name, found none.`);
  }
  return withSettings(resolveModel(label, aliases), settings(given.modelArg), holder);
}

/** Request for the model of a record that is resumed. */
export async function recordedAsks(recorded: Recorded, workingDirectory: string): Promise<ModelAsks> {
  const table = { model: MODEL_OPTION, ...MODEL_OPTIONS };
  const { whole, foundIn } = recallOptions(table, {}, recorded);
  const { model, connection } = await askedModel(parseOptions(table, whole), foundIn, workingDirectory);
  const { modelAsks } = await import("../model/model-asks.js");
  return modelAsks(model, connection);
}
