import { badInput } from "../base/errors.js";
import type { Console } from "../console/console.js";
import { askedModel, recallOptions } from "../console/named-model.js";
import { type GivenOptions, parseOptions } from "../console/option.js";
import { barProgress } from "../console/progress.js";
import { COMMON_OPTIONS, runOptions } from "../console/run-options.js";
import { type ConnectionOptions, NO_CONNECTION } from "../model/model.js";
import { findPrice } from "../model/prices.js";
import type { ResolvedModel } from "../model/resolved-model.js";
import { RUN_HOLDER, type RunRecord } from "./run-record.js";
import type { RunObserver } from "./run-suite.js";
import type { Subject, Suite, SuiteRequest } from "./suite.js";

/**
 * Request that the options of a command make of a suite.
 * @param given what the command line gave
 * @param resumed the run to resume; its options are taken where none are given
 * @param modelHolder the file that names the model among what was given; `null`: the user does
 * @throws ProbeError `bad_input`
 */
export async function suiteRequest<Values, Run extends RunRecord>(
  suite: Suite<Values, Run>,
  given: GivenOptions,
  resumed: Run | null,
  console: Console,
  modelHolder: string | null = null,
): Promise<SuiteRequest<Values, Run>> {
  const recorded = resumed === null ? null : { record: resumed, holder: RUN_HOLDER };
  const { whole, foundIn } = recallOptions(runOptions(suite.options), given, recorded);
  const common = parseOptions(COMMON_OPTIONS, whole);
  const { workingDirectory } = console;
  const values = parseOptions(suite.options, whole) as Values;
  const subject = (await suite.subject?.(values, common.model)) ?? null;
  requireOne(subject, common.model);
  const found = { ...foundIn, ...(modelHolder !== null && { model: modelHolder }) };
  const { model, connection } =
    subject === null ? await askedModel(common, found, workingDirectory) : withoutModel(subject);
  return {
    model,
    ...(subject !== null && { subject }),
    connection,
    promptMode: common.promptMode,
    price: await findPrice(model, connection, workingDirectory),
    values,
    shard: common.shard,
    queue: common.queue,
    resumed,
    named: new Set(Object.keys(given).filter((name) => given[name] !== undefined)),
    workingDirectory,
    warn: (text) => {
      if (!common.quiet) console.err(`${text}\n`);
    },
  };
}

/** @throws ProbeError `bad_input` when a model is named beside what takes its place */
function requireOne(subject: Subject | null, label: string | null): void {
  // A resumed run has the subject's name where others have the model's.
  if (subject === null || label === null || label === subject.label) return;
  throw badInput(`Expected --model or an agent, found both: ${label} and ${subject.label}.`);
}

function withoutModel({ label }: Subject): { readonly model: ResolvedModel; readonly connection: ConnectionOptions } {
  return { model: { label, provider: "none", name: label, settings: {} }, connection: NO_CONNECTION };
}

/** Draws a run's progress. */
export function runProgress(console: Console, quiet: boolean): RunObserver {
  const bar = barProgress(console, quiet);
  let failed = 0;
  return {
    onMessage: bar.message,
    onDownload: bar.download,
    onStart: bar.start,
    onRecord: ({ isFailed }) => {
      if (isFailed) failed++;
      bar.advance(failed > 0 ? `, ${failed} failed` : "");
    },
    onEnd: bar.stop,
  };
}
