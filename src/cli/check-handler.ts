import { choice, settings } from "../console/arguments.js";
import type { Console } from "../console/console.js";
import { EXIT, type ExitCode } from "../console/exit-codes.js";
import { connectionOf } from "../console/model-options.js";
import { showBlocks } from "../console/show-blocks.js";
import { loadAliases } from "../model/aliases.js";
import { checkModel } from "../model/check/check-model.js";
import { CheckRefusal, type CheckReport } from "../model/check/report.js";
import { PROMPT_MODES } from "../model/model.js";
import { openModel, resolveModel } from "../model/registry.js";
import { checkBlocks } from "../report/model-check.js";
import type { RunArguments } from "../suites/codereviewqa/cli/run-arguments.js";

type CheckArguments = Pick<
  RunArguments,
  | "promptMode"
  | "modelArg"
  | "baseUrl"
  | "apiKeyEnv"
  | "apiKeyFile"
  | "concurrency"
  | "allowGenerated"
  | "force"
  | "json"
> & { readonly name: string };

/** `probe models check`: the table of ways, and exit code 3 when none works. */
export async function handleCheck(given: CheckArguments, console: Console): Promise<ExitCode> {
  const report = await check(given, console.workingDirectory);
  if (given.json === true) console.out(`${JSON.stringify({ model: given.name, ...report }, null, 2)}\n`);
  else showBlocks(console, checkBlocks(given.name, report));
  return report.chosen === null || report.forced ? EXIT.modelUnavailable : EXIT.done;
}

async function check(given: CheckArguments, workingDirectory: string): Promise<CheckReport> {
  const resolved = resolveModel(given.name, await loadAliases(workingDirectory));
  const withArgs = { ...resolved, settings: { ...resolved.settings, ...settings(given.modelArg) } };
  const promptMode = choice("prompt-mode", given.promptMode, PROMPT_MODES) ?? "completion";
  try {
    const model = await openModel(withArgs, {
      promptMode,
      mode: "fast",
      seed: 0,
      connection: connectionOf(given),
      needs: ["symbols"],
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
