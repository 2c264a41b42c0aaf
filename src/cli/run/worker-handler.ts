import { hostname } from "node:os";
import { badInput } from "../../base/errors.js";
import { type Console, EXIT, type ExitCode } from "../../console/console.js";
import { connectionOf } from "../../console/model-options.js";
import { type OptionValues, settings } from "../../console/option.js";
import { interruptibly } from "../../console/progress.js";
import type { Model } from "../../model/model.js";
import { loadAliases } from "../../model/model-aliases.js";
import { openModel } from "../../model/open-model.js";
import { type ResolvedModel, recordedSettings, resolveModel, withSettings } from "../../model/resolved-model.js";
import type { RunNotice } from "../../queue/queue-wire.js";
import { runWorker } from "../../queue/run-worker.js";
import type { WORKER_OPTIONS } from "../command-options.js";

const LOST_SECONDS = 30;

/** Works for the runs of a queue until it is stopped, or idle for long enough. */
export async function handleWorker(values: OptionValues<typeof WORKER_OPTIONS>, console: Console): Promise<ExitCode> {
  const { queue, model: label, modelArg, idle, lostAfter, quiet } = values;
  if (queue === null) throw badInput("Expected --queue redis://host:port, found none.");
  if (label === null) throw badInput("Expected --model with the model to work with, found none.");
  const model = withSettings(resolveModel(label, await loadAliases(console.workingDirectory)), settings(modelArg));
  const connection = connectionOf({ ...values, force: false }, model);
  const message = (text: string) => {
    if (!quiet) console.err(`${text}\n`);
  };
  await interruptibly(console, { message, stop: () => {} }, (signal) =>
    runWorker({
      url: queue,
      label,
      settings: recordedSettings(model.settings),
      environment: process.env,
      signal,
      name: `worker ${hostname()} (${process.pid})`,
      idleMs: idle === null ? null : idle * 1000,
      lostMs: (lostAfter ?? LOST_SECONDS) * 1000,
      open: (opening) => openFor(model, opening, connection, { onMessage: message, signal }),
      onMessage: message,
    }),
  );
  return EXIT.done;
}

function openFor(
  model: ResolvedModel,
  { promptMode, mode, seed, optionCount, think, offByDefault, needs }: RunNotice["opening"],
  connection: ReturnType<typeof connectionOf>,
  watch: { readonly onMessage: (message: string) => void; readonly signal: AbortSignal },
): Promise<Model> {
  return openModel(model, {
    promptMode,
    mode,
    seed,
    needs,
    connection,
    ...(optionCount !== null && { optionCount }),
    ...(think !== undefined && { think }),
    ...(offByDefault && { offByDefault }),
    ...watch,
  });
}
