import { ProbeError } from "../../../base/errors.js";
import { shorten } from "../../../base/text.js";
import { choice, languages, list, single, wholeNumber } from "../../../console/arguments.js";
import { openCiOutput } from "../../../console/ci-output.js";
import type { Console } from "../../../console/console.js";
import { EXIT, type ExitCode } from "../../../console/exit-codes.js";
import { interruptibly } from "../../../console/interruptible.js";
import { connectionOf } from "../../../console/model-options.js";
import { namedModel } from "../../../console/named-model.js";
import { showBlocks } from "../../../console/show-blocks.js";
import { PROMPT_MODES } from "../../../model/model.js";
import { findPrice } from "../../../model/prices.js";
import { previewRun } from "../ask/dry-run.js";
import type { RunRequest } from "../ask/request.js";
import { type RunOutcome, runProbes } from "../ask/run-probes.js";
import { recordedText } from "../record/journals.js";
import { failedCount } from "../record/run-file.js";
import { previewBlocks } from "../report/preview.js";
import { summaryBlocks } from "../report/run-summary.js";
import { runResult } from "./ci-result.js";
import { difficulties } from "./difficulties.js";
import { outcomeDocument } from "./outcome-document.js";
import { withRecorded } from "./recorded-arguments.js";
import type { RunArguments } from "./run-arguments.js";
import { runProgress } from "./run-progress.js";

export async function handleRun(given: RunArguments, console: Console): Promise<ExitCode> {
  const resume = single("resume", given.resume);
  const out = single("out", given.out);
  if (resume !== undefined && out !== undefined) {
    throw new ProbeError(
      "bad_input",
      "Expected --resume or --out, found both. --resume goes on in the run's own folder.",
    );
  }
  const request = await parseRequest(
    resume === undefined ? given : await withRecorded(given, resume),
    console.workingDirectory,
  );
  const message = (text: string) => {
    if (given.quiet !== true) console.err(`${text}\n`);
  };
  const ci = await openCiOutput(given, process.env);
  if (given.dryRun === true) {
    if (ci.isWanted)
      throw new ProbeError("bad_input", "Expected --junit and --github-summary without --dry-run: it asks nothing.");
    const preview = await previewRun(request, message);
    if (given.json === true) console.out(`${JSON.stringify(preview, null, 2)}\n`);
    else showBlocks(console, previewBlocks(preview));
    return EXIT.done;
  }
  const outcome = await runInterruptibly(request, resume ?? out ?? null, given.quiet === true, console);
  if (given.json === true) console.out(`${JSON.stringify(outcomeDocument(outcome), null, 2)}\n`);
  else if (outcome.status !== "interrupted") showBlocks(console, summaryBlocks(outcome.scored));
  if (outcome.status !== "interrupted") await ci.write(runResult(outcome.scored));
  return conclude(outcome, console);
}

/** What the options of `probe run` ask for, checked and complete. */
export async function parseRequest(given: RunArguments, workingDirectory: string): Promise<RunRequest> {
  const model = await namedModel(given, workingDirectory);
  const connection = connectionOf(given);
  return {
    model,
    price: await findPrice(model, connection, workingDirectory),
    tasks: list(given.task).map((task) => task.toUpperCase()),
    difficulties: difficulties(given.difficulty),
    dataset: single("dataset", given.dataset) ?? "starter",
    selection: {
      languages: languages(given.language),
      sample: wholeNumber("sample", given.sample, 1) ?? null,
      seed: wholeNumber("seed", given.seed, 0) ?? 0,
      limit: wholeNumber("limit", given.limit, 1) ?? null,
    },
    promptMode: choice("prompt-mode", given.promptMode, PROMPT_MODES) ?? "completion",
    mode: choice("mode", given.mode, ["fast", "exact"]) ?? "fast",
    connection,
    earlyStop: given.earlyStop === true,
    skipInvalid: given.skipInvalid === true,
  };
}

function runInterruptibly(
  request: RunRequest,
  folder: string | null,
  quiet: boolean,
  console: Console,
): Promise<RunOutcome> {
  const observer = runProgress(console, quiet);
  return interruptibly(console, { message: observer.onMessage, stop: observer.onEnd }, (signal) =>
    runProbes({ request, folder, signal, now: console.now, observer }),
  );
}

function conclude(outcome: RunOutcome, console: Console): ExitCode {
  switch (outcome.status) {
    case "interrupted":
      console.err(
        `Stopped with ${recordedText(outcome.recorded, outcome.planned)} recorded. Go on with:\n` +
          `  probe run --resume ${outcome.folder}\n`,
      );
      return EXIT.interrupted;
    case "gave_up":
      console.err(
        `Gave up after ${outcome.gaveUp.failures} answers in a row failed alike: ${shorten(outcome.gaveUp.detail, 1000)}\n` +
          `When the cause is gone: probe run --resume ${outcome.scored.folder}\n`,
      );
      return EXIT.failedAnswers;
    case "complete":
      return failedCount(outcome.scored.run) > 0 ? EXIT.failedAnswers : EXIT.done;
  }
}
