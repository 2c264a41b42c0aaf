import { CI_OPTIONS, GATE_OPTIONS, gateOf } from "../../console/ci-options.js";
import type { AddCommand } from "../../console/command.js";
import { EXIT } from "../../console/command.js";
import { parseOptions, parserOptions } from "../../console/option.js";
import type { SuiteEntry } from "../../run/suite-entry.js";

const OPTIONS = { ...GATE_OPTIONS, ...CI_OPTIONS };

/** `probe score`. */
export const scoreCommand =
  (suites: readonly SuiteEntry[]): AddCommand =>
  (parser, console, done) =>
    parser.command(
      "score <run>",
      "recompute a run's tables from its journal, without a model call",
      (command) =>
        command
          .usage(
            "$0 score <run>\n\nRecomputes the tables of a run from its journals; datapackage.json beside them says what\nthey hold.",
          )
          .positional("run", { type: "string", demandOption: true, describe: "folder of a run" })
          .options({
            json: { type: "boolean", describe: "print one JSON document instead of the table" },
            ...parserOptions(OPTIONS),
          })
          .example("$0 score results/20261121T230354Z-tiny-1f2e3d4c", "the tables anew")
          .example("$0 score results/20261121T230354Z-tiny-1f2e3d4c --junit reports/probe.xml", "for a CI server"),
      async (argv) => {
        const { openCiOutput } = await import("../../console/ci-output.js");
        const { showBlocks } = await import("../../console/show-blocks.js");
        const { runBlocks } = await import("../../run/run-blocks.js");
        const { lacksRecords, scoreFolder } = await import("../../run/score-folder.js");
        const { suiteOfRun } = await import("../../run/suite-entry.js");
        const { lockFolder } = await import("../../store/folder/work-folder.js");
        const { runResult } = await import("./scored-output.js");
        const { scoredDocument } = await import("./scored-output.js");
        const { judgeGate } = await import("../../verdict/gate.js");
        const { concludeGate } = await import("./scored-output.js");
        const options = parseOptions(OPTIONS, argv);
        const ci = await openCiOutput(options, process.env);
        const { suite } = await suiteOfRun(suites, argv.run);
        const unlock = await lockFolder(argv.run);
        const scored = await scoreFolder(suite, argv.run).finally(unlock);
        const findings = judgeGate(scored.score.verdicts, gateOf(options));
        if (argv.json === true) console.out(`${JSON.stringify(scoredDocument(scored, findings), null, 2)}\n`);
        else showBlocks(console, runBlocks(scored));
        await ci.write(runResult(scored, findings));
        const isWhole = scored.score.failed === 0 && !lacksRecords(scored);
        done(concludeGate(isWhole ? EXIT.done : EXIT.failedAnswers, findings, console));
      },
    );
