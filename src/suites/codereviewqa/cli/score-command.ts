import { CI_OPTIONS } from "../../../console/ci-options.js";
import type { AddCommand } from "../../../console/command.js";
import { EXIT } from "../../../console/exit-codes.js";

/** `probe score`. */
export const scoreCommand: AddCommand = (parser, console, done) =>
  parser.command(
    "score <run>",
    "recompute a run's tables from its journal, without a model call",
    (command) =>
      command
        .usage(
          "$0 score <run>\n\nRecomputes answers.csv, questions.csv and summary.csv from answers.jsonl, and generations.csv\n" +
            "(of a run with ACR) from generations.jsonl.",
        )
        .positional("run", { type: "string", demandOption: true, describe: "folder of a run" })
        .options({
          json: { type: "boolean", describe: "print one JSON document instead of the table" },
          ...CI_OPTIONS,
        })
        .example("$0 score results/20261121T230354Z-tiny-1f2e3d4c", "the tables anew")
        .example("$0 score results/20261121T230354Z-tiny-1f2e3d4c --junit reports/probe.xml", "for a CI server"),
    async (argv) => {
      const { scoreRun } = await import("../ask/score.js");
      const { missingText } = await import("../record/journals.js");
      const { failedCount } = await import("../record/run-file.js");
      const { summaryText } = await import("../report/summary-table.js");
      const { scoredDocument } = await import("./outcome-document.js");
      const { openCiOutput } = await import("../../../console/ci-output.js");
      const { runResult } = await import("./ci-result.js");
      const ci = await openCiOutput(argv, process.env);
      const scored = await scoreRun(argv.run);
      if (scored.missing !== undefined) {
        const { planned_answers: answers, generations } = scored.run;
        console.err(`${missingText(scored.folder, scored.missing, { answers, generations })}\n`);
      }
      console.out(argv.json === true ? `${JSON.stringify(scoredDocument(scored), null, 2)}\n` : summaryText(scored));
      await ci.write(runResult(scored));
      done(failedCount(scored.run) > 0 ? EXIT.failedAnswers : EXIT.done);
    },
  );
