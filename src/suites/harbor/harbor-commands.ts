import { resolve } from "node:path";
import { ProbeError } from "../../base/errors.js";
import { command } from "../../console/command.js";
import { EXIT } from "../../console/console.js";
import { choiceOption, listOption, switchOption } from "../../console/option-kinds.js";
import type { SuiteCommand } from "../../run/suite-entry.js";
import type { BenchAdapter } from "../../trial/adapter.js";
import { checkCommand, probesCommand } from "../../trial/bench-commands.js";
import { DATA_OPTION } from "../../trial/trial-options.js";

/** The commands of `probe suite` that the suite has. */
export function harborCommands(load: () => Promise<BenchAdapter>): readonly SuiteCommand[] {
  return [SETUP, checkCommand(load), probesCommand(load)];
}

const SETUP: SuiteCommand = command({
  name: "setup",
  describe:
    "builds the image of each task from its environment/Dockerfile, or takes the one that it names, and copies its\n" +
    "working directory. Nothing is pulled. Building runs what the Dockerfile says: look at it first.",
  options: {
    data: DATA_OPTION,
    taskId: listOption("only these tasks: comma list or repeated"),
    engine: choiceOption("podman or docker", ["podman", "docker"], "podman"),
    isolation: choiceOption(
      "of podman's builds: oci, rootless, or chroot where the others do not work (it holds less)",
      ["default", "oci", "rootless", "chroot"],
      "default",
    ),
    quiet: switchOption("no messages", { alias: "q" }),
  },
  examples: [["--data my-tasks", "once a machine and data set"]],
  async run({ data, taskId, engine, isolation, quiet }, console) {
    const [{ OWN_TASKS, readHarbor }, { setUpEnvironment }] = await Promise.all([
      import("./read-harbor.js"),
      import("./set-up.js"),
    ]);
    const { selectTasks } = await import("../../trial/plan-trials.js");
    const source = data === null ? OWN_TASKS : resolve(console.workingDirectory, data);
    const all = { source, sha256: "", hidden: [], tasks: await readHarbor(source) };
    const stop = new AbortController();
    const release = console.onInterrupt(() => stop.abort());
    const faults: string[] = [];
    try {
      for (const { id, folder, settings } of selectTasks(all, { taskId, sample: null, seed: 0, limit: null })) {
        if (stop.signal.aborted) break;
        const choice = { engine, isolation: isolation === "default" ? null : isolation, signal: stop.signal };
        const said = await setUpEnvironment(folder, settings, choice).catch((error: unknown) => {
          if (!(error instanceof ProbeError)) throw error;
          faults.push(id);
          return error.message;
        });
        if (!quiet) console.err(`${id}: ${said}\n`);
      }
    } finally {
      release();
    }
    return faults.length === 0 && !stop.signal.aborted ? EXIT.done : EXIT.failedAnswers;
  },
});
