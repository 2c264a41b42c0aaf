import type { Benchmark } from "./benchmark.js";
import type { ExportFile } from "./export-folder.js";
import type { RunExport } from "./inspect-logs.js";

/** A format of another tool: of a run or of a benchmark. */
export type ExportFormat =
  | {
      readonly of: "run";
      readonly tool: string;
      files(request: RunExport): Promise<readonly ExportFile[]>;
    }
  | {
      readonly of: "benchmark";
      readonly tool: string;
      files(benchmark: Benchmark): Promise<readonly ExportFile[]>;
    };

/** All there are, by the names that `--format` takes. */
export const EXPORT_FORMATS = {
  "inspect-log": {
    of: "run",
    tool: "logs for inspect_ai's viewer",
    files: async (request) => (await import("./inspect-logs.js")).inspectLogs(request),
  },
  "inspect-task": {
    of: "benchmark",
    tool: "tasks of inspect_ai",
    files: async (benchmark) => (await import("./task-files.js")).inspectTask(benchmark),
  },
  "lm-eval": {
    of: "benchmark",
    tool: "tasks of lm-evaluation-harness",
    files: async (benchmark) => (await import("./task-files.js")).lmEvalTasks(benchmark),
  },
  promptfoo: {
    of: "benchmark",
    tool: "configuration and tests of promptfoo",
    files: async (benchmark) => (await import("./task-files.js")).promptfooTests(benchmark),
  },
  hub: {
    of: "benchmark",
    tool: "Parquet and a data set card for the hub",
    files: async (benchmark) => (await import("./data-card.js")).hubFiles(benchmark),
  },
} as const satisfies Readonly<Record<string, ExportFormat>>;

export type ExportFormatName = keyof typeof EXPORT_FORMATS;
