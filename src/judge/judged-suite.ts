import { resolve } from "node:path";
import { plainPage } from "../run/run-blocks.js";
import { storedRun } from "../run/score-folder.js";
import type { PlannedJournal, StoredRun, Suite, SuitePage, SuitePlan, SuiteScore, WriteTable } from "../run/suite.js";
import { columnsAbout, columnsOf, type Table } from "../store/table.js";
import type { BenchAdapter, BenchTask } from "../trial/adapter.js";
import { agentSuite } from "../trial/agent-suite.js";
import { missingText } from "../trial/score/trial-verdicts.js";
import { performVerdicts } from "./ask-judge.js";
import { judgeControl } from "./judge-controls.js";
import { JUDGE_OPTIONS, type JudgedValues } from "./judge-options.js";
import { previewVerdicts } from "./judge-preview.js";
import { judgedRun, verdictCounts, verdictsOf } from "./judged-records.js";
import { type JudgedRequest, type JudgedRun, judgedRunSchema, plannedVerdicts, verdictPlan } from "./judged-run.js";
import type { Judging } from "./judging.js";
import { judgeFacts, judgeRecord, type NamedJudge, namedJudge, type OpenJudge, openJudge } from "./open-judge.js";
import { judgeBlocks, justificationBlocks } from "./rating-blocks.js";
import { VERDICTS, type VerdictRecord } from "./rating-records.js";
import { judgeMark, markedBlocks, markedForms } from "./score-mark.js";
import { agreementNotices, judgeReality, selfAgreement, uncontrolled } from "./self-agreement.js";

/** What a suite of agents that a judge reads differs in from the others. */
interface JudgedAdapter<Task extends BenchTask> {
  readonly bench: BenchAdapter<Task>;
  readonly judging: Judging<Task>;
}

type Inner = Suite<JudgedValues, JudgedRun>;

/** A suite of agents whose trials a model judges, criterion by criterion, once they are made. */
export function judgedSuite<Task extends BenchTask>({ bench, judging }: JudgedAdapter<Task>): Inner {
  const inner = agentSuite({ ...bench, options: { ...JUDGE_OPTIONS, ...bench.options } });
  const suite: Inner = {
    ...inner,
    schema: judgedRunSchema,
    manner: [...inner.manner, "judge_votes", "judge_temperature"],
    data: (run) => ({ ...inner.data(run), ...judgeFacts(run) }),
    journals: (run) => [...inner.journals(run), ...verdictJournal(run)],
    plan: async (request) => {
      const [plan, tasks] = await planned(inner, bench, judging, request);
      return withJudge(plan, { judging, tasks, request, named: await namedJudge(request) });
    },
    preview: async (request, asksServer) => {
      const [plan, tasks] = await planned(inner, bench, judging, request);
      const trials = await inner.preview?.(request, asksServer);
      const named = await namedJudge(request);
      const judged = await previewVerdicts({ judging, tasks, run: sharedOf(plan), request, named });
      return {
        blocks: [...(trials?.blocks ?? []), ...judged.blocks],
        document: { ...trials?.document, judge: judged.document },
      };
    },
    score: (stored, write) => scoreJudged({ inner, bench, judging }, stored, write),
    page: ({ runs }) => pageOf(suite, runs),
  };
  return suite;
}

type JudgedPlan = SuitePlan<JudgedRun>;

/** What a plan is about, with the share that it is. */
function sharedOf({ own, shard }: JudgedPlan): JudgedPlan["own"] & Pick<JudgedRun, "shard"> {
  return { ...own, shard };
}

/** The plan of the trials with its tasks, judged by nobody yet. */
async function planned<Task extends BenchTask>(
  inner: ReturnType<typeof agentSuite>,
  bench: BenchAdapter<Task>,
  judging: Judging<Task>,
  request: JudgedRequest,
): Promise<readonly [plan: JudgedPlan, tasks: readonly Task[]]> {
  const { perform, own, ...plan } = await inner.plan(request);
  const { values, workingDirectory } = request;
  const named = values.data === null ? null : resolve(workingDirectory, values.data);
  const data = await bench.load(named, workingDirectory, { ...values });
  const byId = new Map(data.tasks.map((task) => [task.id, task]));
  const tasks = own.tasks.flatMap(({ id }) => byId.get(id) ?? []);
  const criteria = tasks.map((task) => judging.criteria(task).length);
  return [{ ...plan, perform, own: { ...own, judge: null, criteria } }, tasks];
}

interface JudgeWork<Task extends BenchTask> {
  readonly judging: Judging<Task>;
  readonly tasks: readonly Task[];
  readonly request: JudgedRequest;
  readonly named: NamedJudge | null;
}

function withJudge<Task extends BenchTask>(
  plan: JudgedPlan,
  { judging, tasks, request, named }: JudgeWork<Task>,
): JudgedPlan {
  if (named === null) return plan;
  let judge: OpenJudge | null = null;
  return {
    ...plan,
    async open(opening) {
      const open = await openJudge(named, request, opening);
      judge = open;
      const votes = request.values.judgeVotes;
      return {
        own: { judge: { ...judgeRecord(named, open), votes } },
        close: () => open.close(),
      };
    },
    async perform(session) {
      await plan.perform(session);
      if (judge === null || session.signal.aborted || session.guard.gaveUp !== null) return;
      await performVerdicts({ judging, tasks, run: sharedOf(plan), request, session, judge });
    },
  };
}

function verdictJournal(run: JudgedRun): PlannedJournal[] {
  if (run.judge === null) return [];
  const plan = verdictPlan(run, run.judge.votes);
  return [{ codec: VERDICTS, plan, records: plannedVerdicts(run), name: "verdicts" }];
}

/** What a judged run is scored by. */
interface JudgedParts {
  readonly inner: ReturnType<typeof agentSuite>;
  readonly bench: Pick<BenchAdapter, "scores" | "headline">;
  readonly judging: Pick<Judging, "scores">;
}

async function scoreJudged(
  { inner, bench, judging }: JudgedParts,
  stored: StoredRun<JudgedRun>,
  write: WriteTable,
): Promise<SuiteScore<JudgedRun>> {
  const verdicts = await verdictsOf(stored);
  const { run: scored, ...score } = await inner.score(judgedRun(stored, judging, verdicts), write);
  const { judge, criteria } = stored.run;
  const run = { ...scored, judge, criteria };
  if (judge === null) return { ...score, run, blocks: [...score.blocks, ...judgeBlocks(run, verdicts, null)] };
  const control = judgeControl(judge.label, verdicts);
  const rows = verdicts.map((record) => ({ ...record, runId: run.run_id, suite: run.suite, judge: judge.label }));
  const isMain = ({ agent }: VerdictRecord) => agent === run.agents[0]?.name;
  await write(VERDICT_TABLE, rows.filter(isMain));
  const controls = rows.filter((row) => !isMain(row));
  await write(CONTROL_TABLE, controls);
  const agreement = selfAgreement(verdicts);
  const { planned, missing } = await verdictCounts(stored, verdicts, judge.votes);
  const lacking = `${missing} of ${planned} verdicts`;
  const { warnings, reality = [], forms } = score.verdicts;
  const mark = judgeMark(control, agreement);
  return {
    ...score,
    run,
    unfinished: score.unfinished ?? (missing === 0 ? null : `${lacking} that are not asked for yet`),
    tables: [...score.tables, VERDICT_TABLE, CONTROL_TABLE],
    verdicts: {
      ...score.verdicts,
      forms: markedForms(forms, bench, mark),
      warnings: [
        ...warnings,
        ...(missing > 0 && run.status === "complete" ? [missingText(run, stored.folder, lacking)] : []),
        ...uncontrolled(judge.label, control),
      ],
      reality: [...reality, ...judgeReality(judge.label, control, agreement)],
    },
    blocks: [
      ...markedBlocks(score.blocks, bench, mark),
      ...judgeBlocks(run, verdicts, control),
      ...agreementNotices(judge.label, agreement),
    ],
    document: { ...score.document, judge: { label: judge.label, control, self_agreement: agreement } },
  };
}

/** What each run came to, and behind it each verdict with its justification. */
async function pageOf(suite: Inner, folders: readonly string[]): Promise<SuitePage> {
  const sections = [];
  for (const [i, folder] of folders.entries()) {
    const stored = await storedRun(suite, folder);
    const blocks = justificationBlocks(stored.run, await verdictsOf(stored));
    const title = `What the judge said of ${stored.run.model.label}`;
    if (blocks.length > 0) sections.push({ id: `${suite.name}-verdicts-${i + 1}`, title, blocks });
  }
  return plainPage(suite, folders, sections);
}

/** A vote, and whose run and judge it is of. */
interface VerdictRow extends VerdictRecord {
  readonly runId: string;
  readonly suite: string;
  readonly judge: string;
}

const COLUMNS = columnsOf<VerdictRow>([
  ["run_id", "string", "The run.", ({ runId }) => runId],
  ["suite", "string", "The suite.", ({ suite }) => suite],
  ["judge", "string", "Who judged.", ({ judge }) => judge],
  ["task_id", "string", "The task.", ({ task_id }) => task_id],
  ["condition", "string", "The arm of the suite.", ({ condition }) => condition],
  ["trial", "integer", "Which of the independent trials, from 0.", ({ trial }) => trial],
  ["criterion_id", "string", "What was asked.", ({ criterion_id }) => criterion_id],
  ["polarity", "string", "positive; negative: a fault.", ({ polarity }) => polarity],
  ["importance", "string", "Such as must have.", ({ importance }) => importance],
  ["vote", "integer", "Which of the votes, from 0.", ({ vote }) => vote],
  ["verdict", "string", "What the judge said; empty: it cannot be read, or was not asked.", ({ verdict }) => verdict],
  [
    "score",
    "number",
    "1: passed (of a fault: it is not there); a mark of 10, by 10; empty: not known.",
    ({ score }) => score,
  ],
  ["evaluable", "boolean", "Whether the verdict counts.", ({ score }) => score !== null],
  ["justification", "string", "Why, in the judge's words.", ({ justification }) => justification],
]);

/** `verdicts.csv`: what the judge said of the agent that the run is about. */
export const VERDICT_TABLE: Table<VerdictRow> = {
  file: "verdicts.csv",
  title: "One row a vote: what the judge said of a criterion.",
  primaryKey: ["run_id", "condition", "task_id", "trial", "criterion_id", "vote"],
  columns: COLUMNS,
};

/** `control_verdicts.csv`: likewise of the controls, by which the judge is judged. */
const CONTROL_TABLE: Table<VerdictRow> = {
  file: "control_verdicts.csv",
  title: "One row a vote: what the judge said of right solutions and of empty ones.",
  primaryKey: ["run_id", "agent", "condition", "task_id", "trial", "criterion_id", "vote"],
  columns: [
    ...columnsOf<VerdictRow>([
      ["agent", "string", "Whose solution: gold, or noop, which is empty.", ({ agent }) => agent],
    ]),
    ...columnsAbout((row: VerdictRow) => row, COLUMNS),
  ],
};
