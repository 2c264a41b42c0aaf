import { shellWord } from "../../../base/text.js";
import { isConnectionSetting } from "../../../model/recorded-model.js";
import type { RunFile } from "./run-file.js";

/** What else of a run's settings is kept when other questions are asked the same way. */
interface OtherQuestions {
  readonly tasks: readonly string[];
  /** `null`: the default, both. */
  readonly difficulty: string | null;
  readonly out: string;
}

/**
 * The `probe run` command that asks a run's model other questions about the same examples, ready for a shell. Which key
 * goes to which server is for the user to say: the record may be anybody's.
 */
export function runCommandText(run: RunFile, { tasks, difficulty, out }: OtherQuestions): string {
  const options: readonly (readonly [string, unknown])[] = [
    ["--model", run.model.label],
    ["--dataset", run.dataset.source],
    ["--task", tasks.join(",")],
    ["--difficulty", difficulty],
    ...recordedOptions(run),
    ["--out", out],
  ];
  return ["probe run", ...options.flatMap(([name, value]) => optionWords(name, value))].join(" ");
}

function recordedOptions({ parameters, model }: RunFile): (readonly [string, unknown])[] {
  const { connection } = model;
  const isDrawn = parameters["sample"] != null || (parameters["seed"] ?? 0) !== 0;
  return [
    ["--language", [parameters["languages"] ?? []].flat().join(",") || null],
    ["--sample", parameters["sample"]],
    ["--seed", isDrawn ? parameters["seed"] : null],
    ["--limit", parameters["limit"]],
    ["--prompt-mode", parameters["prompt_mode"] === "chat" ? "chat" : null],
    ["--mode", parameters["mode"] === "exact" ? "exact" : null],
    ["--model-arg", [parameters["model_args"] ?? []].flat().filter((each) => !isConnectionSetting(String(each)))],
    ["--base-url", connection.base_urls],
    ["--early-stop", parameters["early_stop"]],
    ["--skip-invalid", parameters["skip_invalid"]],
    ["--allow-generated", connection.allow_generated],
    ["--force", connection.force],
  ];
}

/** A list is a repeated option, `true` a bare one; what is absent or `false` is none. */
function optionWords(name: string, value: unknown): string[] {
  if (value === null || value === undefined || value === false) return [];
  if (value === true) return [name];
  return [value].flat().map((each) => `${name} ${shellWord(String(each))}`);
}
