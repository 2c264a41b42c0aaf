import { afterAll, beforeAll, describe } from "vitest";
import { loadAliases } from "../../src/model/aliases.js";
import type { Model } from "../../src/model/model.js";
import { openModel, resolveModel } from "../../src/model/registry.js";
import { OPEN_OPTIONS } from "../fixtures/open-options.js";
import { modelContract } from "./contract.js";

const MODELS = ["tiny", "scripted:always-A", "scripted:oracle", "scripted:uniform"];

describe.each(MODELS)("the model %s", (label) => {
  let model: Model;

  beforeAll(async () => {
    const resolved = resolveModel(label, await loadAliases(import.meta.dirname));
    model = await openModel(resolved, OPEN_OPTIONS);
  });

  afterAll(() => model.close());

  modelContract(() => model);
});
