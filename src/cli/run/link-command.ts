import { resolve } from "node:path";
import type { Argv } from "yargs";
import type { Console } from "../../console/console.js";
import { EXIT, type ExitCode } from "../../console/exit-codes.js";
import { showBlocks } from "../../console/show-blocks.js";
import { type LinkNames, linkBlocks } from "../../report/link-blocks.js";
import { notice } from "../../report/make-block.js";
import { readScore } from "../../run/score-folder.js";
import type { SuiteEntry } from "../../run/suite-entry.js";
import { suiteOfRun } from "../../run/suite-of-run.js";
import { type Link, type LinkTable, linkRuns } from "../../verdict/link.js";
import type { RunVerdicts } from "../../verdict/verdict.js";

/** `probe suite link RUN --probes RUN`: success held against comprehension of the same tasks. */
export function addLink(
  group: Argv,
  suites: readonly SuiteEntry[],
  console: Console,
  done: (code: ExitCode) => void,
): Argv {
  return group.command(
    "link <run>",
    "hold an agent's successes against answers to probes about the same tasks",
    (command) =>
      command
        .usage(
          "$0 suite link <run> --probes <run>\n\n" +
            "Success and comprehension, a case a task: the four counts, Fisher's exact test, Wilson's intervals.\n" +
            "Only where the probes' scores are above their floors; otherwise it says why not.",
        )
        .positional("run", { type: "string", demandOption: true, describe: "folder of a run of agents" })
        .option("probes", {
          type: "string",
          demandOption: true,
          requiresArg: true,
          describe: "folder of a run of questions that `suite probes` and `dataset build` made",
        })
        .option("json", { type: "boolean", describe: "print one JSON document" })
        .example("$0 suite link results/agent --probes results/probes", "the four counts"),
    async (argv) => {
      const read = async (folder: string) => {
        const path = resolve(console.workingDirectory, folder);
        const { suite } = await suiteOfRun(suites, path);
        return (await readScore(suite, path)).score.verdicts;
      };
      const [run, probes] = [await read(argv.run), await read(argv.probes)];
      const link = linkRuns(run, probes);
      if (argv.json === true) console.out(`${JSON.stringify(linkDocument(run, probes, link), null, 2)}\n`);
      else {
        const warnings = [...run.warnings, ...probes.warnings].map((text) => notice("bad", text));
        showBlocks(console, [...warnings, ...linkBlocks(namesOf(run, probes), link)]);
      }
      done(EXIT.done);
    },
  );
}

/** Who worked and who answered. */
export function namesOf(run: RunVerdicts, probes: RunVerdicts): LinkNames {
  return { suite: run.suite, worker: run.model, reader: probes.model };
}

function linkDocument(run: RunVerdicts, probes: RunVerdicts, link: Link): object {
  const { suite, worker, reader } = namesOf(run, probes);
  const common = {
    suite,
    run_id: run.runId,
    probes_run_id: probes.runId,
    model: worker,
    probes_model: reader,
    warnings: [...run.warnings, ...probes.warnings],
  };
  const forms = { forms: link.forms, left_out: link.leftOut };
  if (link.status === "refused") return { ...common, status: link.status, reason: link.reason, ...forms };
  return { ...common, status: link.status, ...forms, tables: link.tables.map(tableDocument) };
}

function tableDocument({ ifUnderstood, ifNot, without, ...table }: LinkTable): object {
  return {
    condition: table.condition,
    success_understood: table.both,
    success_not_understood: table.successOnly,
    failure_understood: table.understoodOnly,
    failure_not_understood: table.neither,
    fisher_p: table.pValue,
    success_if_understood: ifUnderstood,
    success_if_not: ifNot,
    success_without_comprehension: without,
    tasks_without_probe: table.unprobed,
    tasks_not_judged: table.unjudged,
    tasks: table.cases.map(({ task, succeeded, understood }) => ({ task_id: task, succeeded, understood })),
  };
}
