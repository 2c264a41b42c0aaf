import { shellWord } from "../../base/text.js";
import type { GateFinding } from "../../verdict/gate.js";
import { isReadable, judgementText } from "../../verdict/judgement.js";
import type { FormMeasure, RunVerdicts, VerdictForm } from "../../verdict/verdict.js";
import { NOTHING_SHOWN } from "../judgement-words.js";
import type { CiCheck, CiCheckResult, CiReport, CiSuite } from "../junit.js";
import { numberText } from "../number-text.js";

/**
 * Checks of a run for a CI job, for every suite: for each form, that all records came, that they can be read, and
 * that the score is above what is reached without comprehension; of the run, that its server passes the check.
 */
export function runChecks(run: RunVerdicts, findings: readonly GateFinding[] = []): CiReport {
  return {
    name: run.model,
    timestamp: run.createdAt,
    durationMs: run.durationMs,
    suites: [
      ...serverSuite(run),
      ...run.forms.map((form) => ({
        name: `${run.model}: ${form.name}`,
        properties: propertiesOf(form),
        checks: formChecks(form, run.folder),
      })),
      ...gateSuite(run.model, findings),
    ],
  };
}

function serverSuite({ model, server }: RunVerdicts): CiSuite[] {
  if (server === null) return [];
  const { passed, text } = server;
  const result: CiCheckResult = passed
    ? { status: "passed", text }
    : { status: "failed", kind: "forced", message: text, text };
  return [{ name: `${model}: server`, properties: new Map(), checks: [{ name: "server passes the check", result }] }];
}

/** The suite of `--fail-under` and `--require`; none where neither was given. */
function gateSuite(model: string, findings: readonly GateFinding[]): CiSuite[] {
  if (findings.length === 0) return [];
  const checks = findings.map(({ form, option, wanted, found, passed }): CiCheck => {
    const message = `Expected ${wanted} (--${option}), found ${found}`;
    return {
      name: `${form}: ${wanted}`,
      result: passed
        ? { status: "passed", text: found }
        : { status: "failed", kind: option.replace("-", "_"), message, text: message },
    };
  });
  return [{ name: `${model}: asked for`, properties: new Map(), checks }];
}

/** Every overall number that has a value. */
function propertiesOf({ measures, judgement }: VerdictForm): Map<string, string> {
  const numbers = measures.flatMap(({ metric, value, ciLow, ciHigh, n }: FormMeasure) =>
    Object.entries({ "": value, ".ci_low": ciLow, ".ci_high": ciHigh, ".n": n }).flatMap(([part, number]) =>
      number === null ? [] : [[metric + part, String(number)] as const],
    ),
  );
  return new Map([...(judgement === null ? [] : [["verdict", judgement.state] as const]), ...numbers]);
}

function formChecks(form: VerdictForm, folder: string): CiCheck[] {
  const { records, score } = form;
  return [
    { name: `all ${records.name} came`, result: judgeComplete(form, folder) },
    ...(form.kind === "choice" ? [{ name: `${records.name} may be interpreted`, result: judgeReadable(form) }] : []),
    { name: `${score.title} is above its floor`, result: judgeFloor(form) },
  ];
}

const NOTHING_ASKED: CiCheckResult = { status: "skipped", reason: "No selected example suits this form." };

function judgeComplete({ records }: VerdictForm, folder: string): CiCheckResult {
  const { name, planned, recorded, failed, failures, lasting, mayBeFewer } = records;
  if (planned === 0) return NOTHING_ASKED;
  if (failed > 0) {
    const kinds = Object.entries(failures).map(([kind, count]) => `${kind}: ${count}`);
    const ofRun = Object.values(failures).reduce((sum, count) => sum + count, 0);
    const again = `The same command asks ${lasting === undefined ? "them" : "the others"} again.`;
    const text = [
      `Of the whole run, by cause: ${kinds.join(", ")}.`,
      ...(lasting === undefined ? [] : [lasting.advice]),
      ...(lasting === undefined || lasting.failures < ofRun ? [again] : []),
    ];
    const message = `${failed} of ${planned} ${name} failed.`;
    return { status: "error", kind: "failed_answers", message, text: text.join("\n") };
  }
  if (recorded < planned && !mayBeFewer) {
    const message = `${recorded} of ${planned} ${name} are recorded.`;
    const text = `The command that asks it goes on, with --resume ${shellWord(folder)}`;
    return { status: "error", kind: "incomplete", message, text };
  }
  return { status: "passed", text: `${recorded} of ${planned} ${name}` };
}

const CONTROL: CiCheckResult = {
  status: "skipped",
  reason: "A control: its result is part of another form's verdict.",
};

function judgeReadable({ records, judgement }: VerdictForm): CiCheckResult {
  if (records.planned === 0) return NOTHING_ASKED;
  if (judgement === null) return CONTROL;
  const text = judgementText(judgement);
  switch (isReadable(judgement)) {
    case null:
      return { status: "skipped", reason: text };
    case true:
      return { status: "passed", text };
    case false:
      return { status: "failed", kind: judgement.state, message: text, text: NOTHING_SHOWN };
  }
}

function judgeFloor({ records, score, judgement, measures }: VerdictForm): CiCheckResult {
  if (records.planned === 0) return NOTHING_ASKED;
  if (judgement === null) return CONTROL;
  const { state, floor, floorRule, wordsFloor, wordsFloorRule } = judgement;
  const text = judgementText(judgement);
  if (state === "unreadable") return { status: "skipped", reason: "Not judged: the answers may not be interpreted." };
  if (state === "unknown") return { status: "skipped", reason: text };
  const measured = measures.find(({ metric }) => metric === score.metric);
  const interval =
    measured?.ciLow == null || measured.ciHigh === null
      ? ""
      : ` (95 % interval ${numberText(measured.ciLow, "fraction")}–${numberText(measured.ciHigh, "fraction")}, n = ${measured.n})`;
  const words = wordsFloor === null ? "" : `, of words ${numberText(wordsFloor, "fraction")} (${wordsFloorRule})`;
  const found = `${score.title} ${numberText(judgement.score, "fraction")}${interval}, floor ${numberText(floor, "fraction")} (${floorRule ?? "none"})${words}`;
  if (state === "above_floor") return { status: "passed", text: `${text}\n${found}` };
  return { status: "failed", kind: state, message: text, text: found };
}
