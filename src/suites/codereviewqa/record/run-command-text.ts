import { commandWords } from "../../../console/recorded-options.js";
import { runOptions } from "../../../console/run-options.js";
import { isConnectionSetting } from "../../../model/model-settings.js";
import { RUN_OPTIONS } from "../options.js";
import type { RunFile } from "./run-file.js";

/** Other questions that a run's model is to be asked the same way. */
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
  const settings = [run.parameters["model_args"] ?? []].flat().map(String);
  const instead = {
    task: tasks,
    difficulty: difficulty ?? undefined,
    ablate: undefined,
    modelArg: settings.filter((setting) => !isConnectionSetting(setting)),
    out,
  };
  return ["probe run", ...commandWords(runOptions(RUN_OPTIONS), run, instead)].join(" ");
}
