import type { Console } from "../console/console.js";
import { connectionOf } from "../console/model-options.js";
import { namedModel } from "../console/named-model.js";
import { type GivenOptions, parseOptions } from "../console/option.js";
import { COMMON_OPTIONS } from "../console/run-options.js";
import { findPrice } from "../model/prices.js";
import type { RunRecord } from "./run-record.js";
import type { Suite, SuiteRequest } from "./suite.js";

/**
 * What the options of a command ask of a suite.
 * @param resumed the run that is gone on with, whose own options are among the given ones
 * @throws ProbeError `bad_input`
 */
export async function suiteRequest<Values, Run extends RunRecord>(
  suite: Suite<Values, Run>,
  given: GivenOptions,
  resumed: Run | null,
  console: Console,
): Promise<SuiteRequest<Values, Run>> {
  const common = parseOptions(COMMON_OPTIONS, given);
  const { workingDirectory } = console;
  const model = await namedModel(common, workingDirectory);
  const connection = connectionOf(common);
  return {
    model,
    connection,
    promptMode: common.promptMode,
    price: await findPrice(model, connection, workingDirectory),
    values: parseOptions(suite.options, given) as Values,
    resumed,
    workingDirectory,
    warn: (text) => {
      if (!common.quiet) console.err(`${text}\n`);
    },
  };
}
