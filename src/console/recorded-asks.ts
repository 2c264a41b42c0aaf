import { CONFIG_FILE, readConfig } from "../model/config.js";
import { NO_CONNECTION } from "../model/model.js";
import { loadAliases } from "../model/model-aliases.js";
import { type ModelAsks, modelAsks } from "../model/model-asks.js";
import { resolveModel } from "../model/resolved-model.js";
import { isSameClaim } from "../trust/claim.js";
import { MODEL_OPTION, MODEL_OPTIONS } from "./model-options.js";
import { askedModel, type Recorded, recallOptions } from "./named-model.js";
import { parseOptions } from "./option.js";

/** What the aliases of `probe.config.json` ask for, and the models that it has `probe run` take. */
export async function configAsks(workingDirectory: string): Promise<ModelAsks> {
  const aliases = await loadAliases(workingDirectory);
  const own = [...aliases.values()].filter(({ origin }) => origin === CONFIG_FILE);
  const all = own.map(({ name }) => modelAsks(resolveModel(name, aliases), NO_CONNECTION));
  const { run, matrix } = await readConfig(workingDirectory);
  const { model } = run;
  const usual = [...(typeof model === "string" ? [model] : []), ...(matrix?.models ?? [])];
  const needed = [...new Set(usual)].flatMap(
    (label) => modelAsks({ ...resolveModel(label, aliases), namedBy: CONFIG_FILE }, NO_CONNECTION).needed,
  );
  const free = all.flatMap((asks) => asks.free);
  return {
    needed: [...all.flatMap((asks) => asks.needed), ...needed],
    free: free.filter(({ claim, name }) => !needed.some((ask) => ask.name === name && isSameClaim(ask.claim, claim))),
  };
}

/** What the model of a record asks for, when it is gone on with. */
export async function recordedAsks(recorded: Recorded, workingDirectory: string): Promise<ModelAsks> {
  const table = { model: MODEL_OPTION, ...MODEL_OPTIONS };
  const { whole, foundIn } = recallOptions(table, {}, recorded);
  const { model, connection } = await askedModel(parseOptions(table, whole), foundIn, workingDirectory);
  return modelAsks(model, connection);
}
