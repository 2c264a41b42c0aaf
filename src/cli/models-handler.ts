import { type Console, EXIT, type ExitCode, jsonText } from "../console/console.js";
import { connectionOf, type MODEL_OPTIONS } from "../console/model-options.js";
import { type OptionValues, settings } from "../console/option.js";
import { interruptibly } from "../console/progress.js";
import { checkModel } from "../model/check/check-model.js";
import { CheckRefusal, type CheckReport } from "../model/check/check-report.js";
import { modelsFolder } from "../model/llama/model-file.js";
import type { OpenModelOptions } from "../model/model.js";
import { loadAliases, publicAlias } from "../model/model-aliases.js";
import { openModel } from "../model/open-model.js";
import { resolveModel, withSettings } from "../model/resolved-model.js";
import { aliasBlocks, checkBlocks } from "../report/model-blocks.js";
import { showBlocks } from "../report/terminal.js";

/** `probe models`: what `--model` understands by name. */
export async function handleAliases(isJson: boolean, console: Console): Promise<ExitCode> {
  const aliases = [...(await loadAliases(console.workingDirectory)).values()];
  const downloads = modelsFolder();
  if (isJson) console.out(jsonText({ downloads, aliases: aliases.map(publicAlias) }));
  else showBlocks(console, aliasBlocks(aliases, downloads));
  return EXIT.done;
}

type CheckValues = OptionValues<typeof MODEL_OPTIONS> & { readonly name: string; readonly json: boolean };

/** `probe models check`: the table of ways, and exit code 3 when none works. */
export async function handleCheck(values: CheckValues, console: Console): Promise<ExitCode> {
  const message = (text: string) => console.err(`${text}\n`);
  const report = await interruptibly(console, { message, stop: () => {} }, (signal) =>
    check(values, console.workingDirectory, { onMessage: message, signal }),
  );
  if (values.json) console.out(jsonText({ model: values.name, ...report }));
  else showBlocks(console, checkBlocks(values.name, report));
  return report.chosen === null || report.forced ? EXIT.modelUnavailable : EXIT.done;
}

async function check(
  values: CheckValues,
  workingDirectory: string,
  watch: Pick<OpenModelOptions, "onMessage" | "signal">,
): Promise<CheckReport> {
  const resolved = resolveModel(values.name, await loadAliases(workingDirectory));
  const withArgs = withSettings(resolved, settings(values.modelArg));
  try {
    const model = await openModel(withArgs, {
      promptMode: values.promptMode,
      mode: "fast",
      seed: 0,
      connection: connectionOf(values, withArgs),
      needs: ["symbols"],
      tries: ["conversations", "tools"],
      offByDefault: true,
      ...watch,
    });
    try {
      return await checkModel(model);
    } finally {
      await model.close();
    }
  } catch (error) {
    if (error instanceof CheckRefusal) return error.report;
    throw error;
  }
}
