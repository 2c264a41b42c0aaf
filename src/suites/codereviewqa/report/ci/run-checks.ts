import { shorten } from "../../../../base/text.js";
import type { CiCheck, CiCheckResult, CiReport, CiSuite } from "../../../../report/ci-report.js";
import { intervalOf } from "../../../../report/make-block.js";
import { intervalText, numberText } from "../../../../report/number-text.js";
import type { ScoredRun } from "../../ask/score.js";
import type { SummaryRow } from "../../metric/summary-row.js";
import { permutationCount } from "../../question/permutations.js";
import { loadProbes } from "../../question/probes.js";
import type { RunFile } from "../../record/run-file.js";
import { FormMetrics, formName } from "../data/probe-forms.js";
import { judgeForm, verdictText } from "../verdict.js";

/** A probe form of a run, and how many records it should have. */
interface AskedForm {
  readonly name: string;
  readonly metrics: FormMetrics;
  /** Answers or generations. */
  readonly planned: number;
  readonly records: "answers" | "generations";
}

/**
 * What a CI job may want to hold of a run: of every probe form, that all answers came, that they may be interpreted (the
 * MCSB gate), and that the score is above what a model reaches without reading; of ACR, that all generations came, and
 * that more of them match than if the code were repeated unchanged; of a server, that its check passed.
 */
export async function runChecks({ run, summary }: ScoredRun): Promise<CiReport> {
  const label = run.model.label;
  const probes = await loadProbes();
  const suites = run.forms.flatMap((form): CiSuite[] => {
    const probe = probes.get(form.task);
    if (probe === undefined) return [];
    const isChoice = probe.kind === "choice";
    const asked: AskedForm = {
      name: formName(form),
      metrics: new FormMetrics(summary, form),
      planned: isChoice ? form.questions * permutationCount(probe.optionCount) : form.questions,
      records: isChoice ? "answers" : "generations",
    };
    return [
      { name: `${label}: ${asked.name}`, properties: propertiesOf(summary, form), checks: formChecks(asked, run) },
    ];
  });
  return {
    name: label,
    timestamp: run.times.created_at,
    durationMs: run.times.asking_ms,
    suites: [...modelSuite(label, run), ...suites],
  };
}

function modelSuite(label: string, { model }: RunFile): CiSuite[] {
  if (model.check === null) return [];
  const message = "The check refused this server (--force): its numbers may mean nothing.";
  const result: CiCheckResult =
    model.check["forced"] === true
      ? { status: "failed", kind: "forced", message, text: `probe models check ${label} says why.` }
      : { status: "passed", text: "Its log probabilities are those of the prompt's next token." };
  return [{ name: `${label}: server`, properties: new Map(), checks: [{ name: "server passes the check", result }] }];
}

/** Every overall metric that has a value. */
function propertiesOf(summary: readonly SummaryRow[], form: RunFile["forms"][number]): Map<string, string> {
  const overall = summary.filter((row) => row.groupBy === "overall" && formName(row) === formName(form));
  return new Map(
    overall.flatMap(({ metric, value, ciLow, ciHigh, n }) =>
      Object.entries({ "": value, ".ci_low": ciLow, ".ci_high": ciHigh, ".n": n }).flatMap(([part, number]) =>
        number === null ? [] : [[metric + part, String(number)] as const],
      ),
    ),
  );
}

function formChecks(form: AskedForm, run: RunFile): CiCheck[] {
  const complete = { name: `all ${form.records} came`, result: judgeComplete(form, run) };
  if (form.records === "generations") {
    return [complete, { name: "exact match is above its floor", result: judgeFloor(form, "em") }];
  }
  const gate = judgeGate(form);
  return [
    complete,
    { name: "answers may be interpreted", result: gate },
    {
      name: "invariant accuracy is above its floor",
      result: gate.status === "failed" ? NOT_JUDGED : judgeFloor(form, "invariant_accuracy"),
    },
  ];
}

function judgeComplete({ metrics, planned, records }: AskedForm, run: RunFile): CiCheckResult {
  if (planned === 0) return { status: "skipped", reason: "No selected example suits this probe." };
  const rate = metrics.overall("failure_rate");
  const recorded = rate?.n ?? 0;
  const failed = Math.round((rate?.value ?? 0) * recorded);
  if (failed > 0) {
    const counts = records === "answers" ? run.counts : run.generation_counts;
    const kinds = Object.entries(counts.failures).map(([kind, count]) => `${shorten(kind, 120)}: ${count}`);
    const text = [`Of the whole run, by cause: ${kinds.join(", ")}.`, "The same command asks them again."].join("\n");
    return { status: "error", kind: "failed_answers", message: `${failed} of ${planned} ${records} failed.`, text };
  }
  if (recorded < planned && run.parameters["early_stop"] !== true) {
    const message = `${recorded} of ${planned} ${records} are recorded.`;
    return { status: "error", kind: "incomplete", message, text: "The same command goes on." };
  }
  return { status: "passed", text: `${recorded} of ${planned} ${records}` };
}

function judgeGate({ metrics, planned }: AskedForm): CiCheckResult {
  if (planned === 0) return { status: "skipped", reason: "No selected example suits this probe." };
  const verdict = judgeForm((name) => metrics.overall(name));
  const { status } = verdict;
  const text = verdictText(verdict);
  if (status === "unknown") {
    return {
      status: "skipped",
      reason: "Agreement over all orders was not measured: no question has all its answers.",
    };
  }
  if (status !== "no") return { status: "passed", text };
  return {
    status: "failed",
    kind: "mcsb_gate",
    message: `May the answers be interpreted as comprehension? ${text}.`,
    text:
      "Plurality agreement over all orders is no higher than uniform guessing explains (p >= 0.01): the letters say\n" +
      "nothing about the options, and the accuracy nothing about comprehension.",
  };
}

const NOT_JUDGED: CiCheckResult = { status: "skipped", reason: "Not judged: the answers may not be interpreted." };

/** What a score is called, and the floors it is held against: the first that there is. */
const SCORES = {
  invariant_accuracy: { title: "Invariant accuracy", floors: ["floor_majority", "floor_invariant"] },
  em: { title: "Exact match", floors: ["floor_copy_em"] },
} as const;

function judgeFloor({ metrics, planned, records }: AskedForm, name: keyof typeof SCORES): CiCheckResult {
  if (planned === 0) return { status: "skipped", reason: "No selected example suits this probe." };
  const { title, floors } = SCORES[name];
  const [score, floor] = [metrics.overall(name), floors.map((each) => metrics.overall(each)).find(Boolean)];
  if (score?.value == null || floor?.value == null) return { status: "skipped", reason: "Nothing was measured." };
  const things = records === "answers" ? "questions" : records;
  const bounds = intervalOf(score.ciLow, score.ciHigh);
  const interval = bounds === null ? "" : `95 % interval ${intervalText(bounds, "fraction")}, `;
  const found = `${numberText(score.value, "fraction")} (${interval}${score.n} ${things})`;
  const against = `the floor ${numberText(floor.value, "chance")} (${floor.note})`;
  if (score.value > floor.value) return { status: "passed", text: `${found}, above ${against}` };
  const message = `${title} ${found} is not above ${against}.`;
  return { status: "failed", kind: "floor", message, text: "A model reaches this score without reading the review." };
}
