import { afterAll, beforeAll, describe } from "vitest";
import type { Model } from "../../src/model/model.js";
import { loadAliases } from "../../src/model/model-aliases.js";
import { openModel } from "../../src/model/open-model.js";
import { CAPABILITIES, type Capability } from "../../src/model/requests.js";
import { resolveModel } from "../../src/model/resolved-model.js";
import { OPEN_OPTIONS } from "../fixtures/open-options.js";
import { modelContract } from "./contract.js";

const SCRIPTED = ["symbols", "completions"] as const;
const MODELS: [label: string, needs: readonly Capability[]][] = [
  ["tiny", CAPABILITIES],
  ["scripted:always-A", SCRIPTED],
  ["scripted:oracle", SCRIPTED],
  ["scripted:uniform", SCRIPTED],
];

describe.each(MODELS)("the model %s", (label, needs) => {
  let model: Model;

  beforeAll(async () => {
    const resolved = resolveModel(label, await loadAliases(import.meta.dirname));
    model = await openModel(resolved, { ...OPEN_OPTIONS, needs });
  });

  afterAll(() => model.close());

  modelContract(() => model, needs);
});
