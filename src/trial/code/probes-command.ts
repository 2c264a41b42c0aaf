import { resolve } from "node:path";
import { ProbeError } from "../../base/errors.js";
import { EXIT } from "../../console/command.js";
import { type OptionTable, parseOptions } from "../../console/option.js";
import { listOption, switchOption, textOption } from "../../console/option-kinds.js";
import type { SuiteCommand } from "../../run/suite-entry.js";
import type { BenchAdapter } from "../adapter.js";
import { DATA_OPTION } from "../trial-options.js";

const PROBES_OPTIONS = {
  data: DATA_OPTION,
  run: textOption("a run of agents: its patches in place of the right solutions"),
  condition: textOption("only patches of this condition of the run (default: the first that has one)"),
  taskId: listOption("only these tasks: comma list or repeated"),
  out: textOption("the JSONL file to write, for `probe dataset build`"),
  overwrite: switchOption("replace that file"),
  json: switchOption("print one JSON document"),
  quiet: switchOption("no messages", { alias: "q" }),
} satisfies OptionTable;

/**
 * `probe suite probes NAME`: what questions about a suite's own code are made from.
 * @param own options of the suite's own that say which tasks there are
 */
export function probesCommand(load: () => Promise<BenchAdapter>, own: OptionTable = {}): SuiteCommand {
  return {
    name: "probes",
    describe:
      "cuts right solutions, or an agent's own patches, into hunks of at most 60 lines with the instruction as review",
    files: null,
    options: { ...PROBES_OPTIONS, ...own },
    examples: [
      ["--out hunks.jsonl", "of the right solutions; then: probe dataset build hunks.jsonl"],
      ["--run results/my-run --out hunks.jsonl", "of what an agent changed"],
    ],
    async run(given, console) {
      const values = parseOptions(PROBES_OPTIONS, given);
      if (values.out === null)
        throw new ProbeError("bad_input", "Expected --out FILE.jsonl for the hunks, found none. Name a new file.");
      if (values.condition !== null && values.run === null)
        throw new ProbeError("bad_input", "Expected --run beside --condition, found none: gold patches have none.");
      const { requireWritable } = await import("../../console/output-file.js");
      const { showBlocks } = await import("../../console/show-blocks.js");
      const { cutSuite } = await import("./cut-suite.js");
      const at = (path: string | null) => (path === null ? null : resolve(console.workingDirectory, path));
      const out = resolve(console.workingDirectory, values.out);
      await requireWritable([{ option: "out", path: out }], { inputs: [], overwrite: values.overwrite });
      const found = await cutSuite(await load(), {
        ...{ taskId: values.taskId, condition: values.condition, out, values: parseOptions(own, given) },
        ...{ data: at(values.data), run: at(values.run), workingDirectory: console.workingDirectory },
      });
      if (values.json) console.out(`${JSON.stringify(found.document, null, 2)}\n`);
      else if (!values.quiet) showBlocks(console, found.blocks);
      return EXIT.done;
    },
  };
}
