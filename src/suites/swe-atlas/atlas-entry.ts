import type { SuiteEntry } from "../../run/suite-entry.js";
import type { BenchAdapter } from "../../trial/adapter.js";

const load = async (): Promise<BenchAdapter> => (await import("./atlas-adapter.js")).sweAtlasAdapter;

/** Registration of SWE Atlas. Light: a command loads the rest when it is called. */
export const sweAtlas: SuiteEntry = {
  name: "swe-atlas",
  title: "SWE Atlas: agents answer questions, write tests, refactor; tests and a judge with rubrics decide",
  command: null,
  options: async () => (await import("../../judge/judge-options.js")).JUDGED_OPTIONS,
  examples: [
    ["--agent scripted:gold --controls --judge gpt-4o", "floor and ceiling, of agents and of the judge"],
    ["--model qwen --judge qwen --trials 3", "Pass@1, Pass@3, Pass^3"],
    ["--data SWE-Atlas --patches patches/ --judge gpt-4o --dry-run", "what a judge would cost"],
  ],
  commands: [],
  suiteCommands: async () => {
    const { checkCommand, probesCommand } = await import("../../trial/bench-commands.js");
    const { classifyCommand } = await import("../../judge/judge-options.js");
    const about = {
      failures: "the rubrics that the answers of a judged run fail into four classes",
      run: "a judged run with answers (qa)",
    };
    const classify = classifyCommand(about, async () => (await import("./failed-answers.js")).sortedAnswers());
    return [checkCommand(load), classify, probesCommand(load)];
  },
  part: async (request) => (await import("../../trial/code/suite-parts.js")).suiteParts(await load(), request),
  load: async () => (await import("./atlas-suite.js")).suite,
};
