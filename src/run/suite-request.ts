import type { Console } from "../console/console.js";
import { askedModel, recallOptions } from "../console/named-model.js";
import { type GivenOptions, parseOptions } from "../console/option.js";
import { COMMON_OPTIONS, runOptions } from "../console/run-options.js";
import { findPrice } from "../model/prices.js";
import { RUN_HOLDER, type RunRecord } from "./run-record.js";
import type { Suite, SuiteRequest } from "./suite.js";

/**
 * What the options of a command ask of a suite.
 * @param given what the command line gave
 * @param resumed the run that is gone on with; what is not given is as it has it
 * @throws ProbeError `bad_input`
 */
export async function suiteRequest<Values, Run extends RunRecord>(
  suite: Suite<Values, Run>,
  given: GivenOptions,
  resumed: Run | null,
  console: Console,
): Promise<SuiteRequest<Values, Run>> {
  const recorded = resumed === null ? null : { record: resumed, holder: RUN_HOLDER };
  const { whole, foundIn } = recallOptions(runOptions(suite.options), given, recorded);
  const common = parseOptions(COMMON_OPTIONS, whole);
  const { workingDirectory } = console;
  const { model, connection } = await askedModel(common, foundIn, workingDirectory);
  return {
    model,
    connection,
    promptMode: common.promptMode,
    price: await findPrice(model, connection, workingDirectory),
    values: parseOptions(suite.options, whole) as Values,
    resumed,
    workingDirectory,
    warn: (text) => {
      if (!common.quiet) console.err(`${text}\n`);
    },
  };
}
