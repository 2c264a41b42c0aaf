import { sum } from "simple-statistics";
import { programIdentity } from "../../../base/program-identity.js";
import { sha256 } from "../../../base/sha256.js";
import { modelName } from "../../../model/vendor/model-name.js";
import { formName } from "../../../question/form.js";
import type { RunFile } from "../record/run-file.js";
import { answersIndex, type NamedRun } from "../record/stored-run.js";
import { findExamples, hashDatasets } from "../report/report-data.js";
import { type ReportRun, readReportRun } from "../report/report-run.js";
import { taskName } from "./benchmark.js";
import { type ExportFile, portableJson } from "./export-folder.js";
import { type SampleSource, samplesOf } from "./inspect-samples.js";

type Form = RunFile["forms"][number];

/** Request to export a run. */
export interface RunExport {
  readonly named: NamedRun;
  /** Files of `--dataset`. */
  readonly datasets: readonly string[];
  readonly warn: (message: string) => void;
}

/** Metrics that a log shows, of those of the summary. */
const SHOWN = [
  "invariant_accuracy",
  "mean_accuracy",
  "plurality_agreement",
  "floor_no_read",
  "floor_lexical",
  "em",
  "em_trim",
  "bleu",
  "jaccard",
  "floor_copy_em",
];

/** Version of the format of logs, as inspect_ai numbers it (`EvalLog`). */
const LOG_VERSION = 2;

const STATUS = { running: "started", interrupted: "cancelled", complete: "success" } as const;

/**
 * Logs of inspect_ai (`EvalLog`, as JSON): one a form of the run, a sample an answer. Where the data are not at hand, they
 * are without prompts, and the user is told.
 */
export async function inspectLogs({ named, datasets, warn }: RunExport): Promise<ExportFile[]> {
  const report = await readReportRun(named);
  const found = await findExamples(named.run.dataset, await hashDatasets(datasets, [named]));
  if (found.status === "missing") warn(`The logs are without prompts: ${found.reason}`);
  const answers = await answersIndex(named.folder, named.run);
  const source = { report, answers, examples: found.status === "found" ? found.examples : null };
  const forms = named.run.forms.filter(({ questions }) => questions > 0);
  return forms.map((form) => logFile(source, form));
}

function logFile(source: SampleSource, form: Form): ExportFile {
  const { run } = source.report;
  const task = `codereviewqa_${taskName(form)}`;
  const id = sha256(JSON.stringify([run.run_id, formName(form)])).slice(0, 22);
  const created = new Date(run.times.created_at).toISOString();
  const stamp = `${created.slice(0, 19).replaceAll(":", "-")}+00-00`;
  return {
    // Its viewer knows logs by a time at the beginning of their names.
    name: `${stamp}_${task.replaceAll("_", "-").slice(0, 80)}_${id}.json`,
    async write(append) {
      const head = logHead(source.report, form, { task, id, created });
      await append(`${portableJson(head).slice(0, -1)},"samples":[`);
      let between = "\n";
      for await (const samples of samplesOf(source, form)) {
        for (const sample of samples) {
          await append(`${between}${portableJson(sample)}`);
          between = ",\n";
        }
      }
      await append("\n]}\n");
    },
  };
}

interface LogName {
  readonly task: string;
  readonly id: string;
  readonly created: string;
}

/** Members of a log before its samples, in the order that its readers expect. Of the model its name alone: no address, no key. */
function logHead(report: ReportRun, form: Form, { task, id, created }: LogName): object {
  const { run, summary, generations } = report;
  const { program, dataset } = run;
  const { planned, replied } = countSamples(report, form);
  const scorer = generations.some((each) => each.task === form.task) ? "written" : "letter";
  const rows = summary.filter((row) => row.groupBy === "overall" && formName(row) === formName(form));
  const metrics = rows.flatMap(({ metric, value, ciLow, ciHigh, n, note }) =>
    value === null || !SHOWN.includes(metric)
      ? []
      : [[metric, { name: metric, value, params: {}, metadata: { ci_low: ciLow, ci_high: ciHigh, n, note } }] as const],
  );
  return {
    version: LOG_VERSION,
    status: STATUS[run.status],
    eval: {
      eval_id: id,
      run_id: run.run_id,
      created,
      task,
      task_id: id,
      task_version: 0,
      task_attribs: {},
      task_args: {},
      dataset: { name: dataset.source.split("/").at(-1), samples: planned, shuffled: false },
      model: modelName(run.model),
      model_args: {},
      config: { epochs: 1 },
      packages: { [programIdentity().name]: program.version },
      metadata: {
        run_id: run.run_id,
        dataset_sha256: dataset.sha256,
        prompts: run.prompts,
        orders: run.parameters["orders"] ?? "all",
      },
    },
    plan: { name: "plan", steps: [{ solver: "generate", params: {} }], config: {} },
    results: {
      total_samples: planned,
      completed_samples: replied,
      scores: [{ name: scorer, scorer, params: {}, metrics: Object.fromEntries(metrics) }],
    },
    stats: { started_at: created, completed_at: new Date(run.times.updated_at).toISOString(), model_usage: {} },
  };
}

/** Samples of a form: a question has one an order, a text that is written is one. */
function countSamples({ questions, generations }: ReportRun, form: Form): { planned: number; replied: number } {
  const scores = questions.map(({ score }) => score).filter((score) => formName(score) === formName(form));
  const written = generations.filter(({ task, status }) => task === form.task && status !== "failed").length;
  const orders = scores[0]?.permutations ?? 1;
  return { planned: form.questions * orders, replied: sum(scores.map(({ answered }) => answered)) + written };
}
