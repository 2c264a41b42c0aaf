import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../../src/base/folders.js";
import { openLlama } from "../../../src/model/llama/open-llama.js";
import type { Model, OpenModelOptions } from "../../../src/model/model.js";
import { loadAliases } from "../../../src/model/model-aliases.js";
import { openModel } from "../../../src/model/open-model.js";
import { resolveModel } from "../../../src/model/resolved-model.js";
import { type GgufValue, withMetadata } from "../../fixtures/gguf.js";
import { OPEN_OPTIONS } from "../../fixtures/open-options.js";

export const TINY_FILE = join(packageRoot, "models/tiny.gguf");

type Options = Partial<Pick<OpenModelOptions, "mode" | "promptMode" | "needs" | "signal" | "think">>;

/** The bundled model, with these options and settings over its own. */
export async function openTiny(
  options: Options = {},
  settings: Readonly<Record<string, unknown>> = {},
): Promise<Model> {
  const tiny = resolveModel("tiny", await loadAliases(import.meta.dirname));
  const resolved = { ...tiny, settings: { ...tiny.settings, ...settings } };
  return openModel(resolved, { ...OPEN_OPTIONS, ...options });
}

/** The bundled model from a file with other metadata; `undefined` removes a key. */
export async function openChangedTiny(
  path: string,
  changes: Readonly<Record<string, GgufValue | undefined>>,
  needs: OpenModelOptions["needs"],
  change: (file: Buffer) => Buffer = (file) => file,
): Promise<Model> {
  writeFileSync(path, change(withMetadata(readFileSync(TINY_FILE), changes)));
  const settings = { gpu: "false", threads: 1 };
  return openLlama({ ...OPEN_OPTIONS, label: path, name: path, needs, settings });
}
