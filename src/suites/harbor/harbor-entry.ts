import type { SuiteEntry } from "../../run/suite-entry.js";
import type { BenchAdapter } from "../../trial/adapter.js";

const load = async (): Promise<BenchAdapter> => (await import("./harbor-adapter.js")).harborAdapter;

/** Registration of data sets in Harbor's layout. Light: a command loads the rest when it is called. */
export const harbor: SuiteEntry = {
  name: "harbor",
  title: "Harbor: tasks in the layout of task.toml, environment, tests and solution; their reward file decides",
  command: null,
  options: async () => (await import("../../trial/trial-options.js")).TRIAL_OPTIONS,
  examples: [
    ["--agent scripted:gold --controls", "floor and ceiling of the task that comes with the program"],
    ["--data my-tasks --agent-cmd 'my-agent {prompt_file}'", "any data set in that layout"],
  ],
  commands: [],
  suiteCommands: async () => (await import("./harbor-commands.js")).harborCommands(load),
  part: async (request) => (await import("../../trial/code/suite-parts.js")).suiteParts(await load(), request),
  load: async () => (await import("./harbor-adapter.js")).suite,
};
