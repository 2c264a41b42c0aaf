import type { SuiteEntry } from "../../run/suite-entry.js";
import { auditCommand, demoCommand, exportCommand, failuresCommand } from "./cli/review-commands.js";

/** Registration of code review questions. Light: a command loads the rest when it is called. */
export const codereviewqa: SuiteEntry = {
  name: "codereviewqa",
  title: "code review questions: what type of change, which lines, which revision",
  command: {
    name: "run",
    also: ["eval", "evaluate", "bench", "ask", "start", "test"],
    describe: "ask a model every question under every order of its options; record and score the answers",
    synopsis: "--model M [--task T …]",
    about:
      "Asks, records, scores, and prints the summary table.\n" +
      "Options that are left out may stand in `run` of probe.config.json.",
  },
  options: async () => (await import("./options.js")).RUN_OPTIONS,
  examples: [
    ["--model tiny --task CL --difficulty hard", "one probe on the bundled starter set"],
    ["--model qwen --language py,go --limit 20", "all probes, first 20 examples of two languages"],
    ["--model qwen --task ACR,CTR,CL,SI", "have it write the revisions too"],
    ["--model qwen --task CL,SI --ablate review", "do the answers depend on the review at all?"],
    ["--model openai:auto --base-url http://127.0.0.1:8000/v1", "the model behind a server"],
    ["--model tiny --junit reports/probe.xml --github-summary", "in CI"],
    ["--resume results/20261121T230354Z-tiny-1f2e3d4c", "go on after a kill"],
  ],
  tables: ["failures", "contamination"],
  commands: [failuresCommand, auditCommand, exportCommand, demoCommand],
  asks: async (place) => (await import("./suite/review-asks.js")).reviewAsks(place),
  load: async () => (await import("./suite/questions-suite.js")).suite,
};
