import { goldAgent, noopAgent } from "../../../agent/scripted-agents.js";
import { ProbeError } from "../../../base/errors.js";
import { askJudge } from "../../../judge/ask-judge.js";
import { type JudgeControl, judgeControl } from "../../../judge/judge-controls.js";
import { type JudgedArms, ratingPlan } from "../../../judge/judged-run.js";
import { type AdvisedRun, type AdviserPart, plansItself } from "../../../judge/plan-adviser.js";
import { RATINGS, type RatingRecord } from "../../../judge/rating-records.js";
import { ratingTables } from "../../../judge/show/rating-tables.js";
import { modelName } from "../../../model/vendor/model-name.js";
import { notice, sentence } from "../../../report/make-block.js";
import type { PlannedJournal, StoredRun } from "../../../run/suite.js";
import { PlaceNumbers } from "../../../store/journal/slots.js";
import type { OwnTable } from "../../../trial/score/own-table.js";
import type { PartPlan, PartScore, TrialPlan } from "../../../trial/suite-part.js";
import { artifactsOf } from "../../../trial/trial-artifacts.js";
import { recordsOf, type TrialRecord } from "../../../trial/trial-records.js";
import { plannedTrials, type TrialRun } from "../../../trial/trial-run.js";
import { SIX_PLANS_OPTION } from "../taste-options.js";
import { loadPrompts } from "../taste-prompts.js";
import type { TasteTask } from "../taste-task.js";
import { chosenIn, QUESTION_COUNT, SEVERAL, SINGLE, sixJudging } from "./six-judging.js";
import { SIX_PLANS, sixBlocks, sixRows, sixShares } from "./six-table.js";

/** The plans of a run are judged once more, six by six, where that is asked for. */
export function withSixPlans(adviser: AdviserPart<TasteTask>): AdviserPart<TasteTask> {
  return {
    ...adviser,
    options: { ...adviser.options, ...SIX_PLANS_OPTION },
    journals: (run) => [...adviser.journals(run), ...(isAsked(run) ? [journalOf(run)] : [])],
    async plan(trials, request) {
      const planned = await adviser.plan(trials, request);
      if ((request.values as { readonly sixPlans?: unknown }).sixPlans !== true) return planned;
      requirePlans(trials);
      const { own, preview } = planned;
      const run = { ...own, shard: trials.shard, criteria: criteriaOf(own) };
      return {
        ...planned,
        preview: () => previewWith(preview, run),
        async perform(session) {
          const judge = planned.judge();
          if (judge === null) return;
          const judging = sixJudging(await loadPrompts());
          const values = { ...request.values, judgeVotes: 1 };
          await askJudge({ judging, tasks: trials.tasks, run, request: { values }, session, judge });
        },
      };
    },
    score: async (stored, records) =>
      isAsked(stored.run)
        ? scoreSix(stored.run, records, await recordsOf(stored, RATINGS), await chosenPlans(stored, records))
        : adviser.score(stored, records),
  };
}

function isAsked({ parameters }: Pick<AdvisedRun, "parameters">): boolean {
  return parameters[SIX_PLANS_OPTION.sixPlans.parameter ?? ""] === true;
}

function criteriaOf({ tasks }: Pick<TrialRun, "tasks">): number[] {
  return tasks.map(() => QUESTION_COUNT);
}

function journalOf(run: AdvisedRun): PlannedJournal {
  const plan = ratingPlan({ ...run, criteria: criteriaOf(run) }, 1);
  return { codec: RATINGS, plan, records: new PlaceNumbers(plan).total, name: "verdicts" };
}

/** @throws ProbeError `bad_input` where there will be no six plans */
function requirePlans({ own }: TrialPlan<TasteTask>): void {
  const lacking = [SINGLE, SEVERAL].filter((condition) => !own.conditions.includes(condition));
  if (lacking.length === 0 && plansItself(own)) return;
  const found = lacking.length === 0 ? "one that works without plans" : `none under ${lacking.join(" and ")}`;
  throw new ProbeError(
    "bad_input",
    `Expected an agent that plans under ${SINGLE} and ${SEVERAL} with --six-plans, found ${found}. Leave it out, or name both by --condition.`,
  );
}

async function previewWith(preview: PartPlan["preview"], run: JudgedArms): ReturnType<PartPlan["preview"]> {
  const { blocks, document } = await preview();
  const pairs = plannedTrials({ ...run, conditions: [SEVERAL], agents: run.agents.filter((each) => !each.is_control) });
  const calls = pairs * QUESTION_COUNT;
  return {
    blocks: [...blocks, sentence(`--six-plans: at most ${calls} questions more to the judge.`)],
    document: { ...document, six_plans_calls: calls },
  };
}

/** Plans that trials of several followed. */
async function chosenPlans({ run, folder }: StoredRun<AdvisedRun>, records: readonly TrialRecord[]) {
  const several = records.filter(({ condition, status }) => condition === SEVERAL && status === "graded");
  const found = new Map<TrialRecord, string | null>();
  for (const record of several) found.set(record, await chosenIn(artifactsOf(folder, run, record)));
  return found;
}

/** Choices of a run, and the worth of who chose. */
function scoreSix(
  run: AdvisedRun,
  records: readonly TrialRecord[],
  ratings: readonly RatingRecord[],
  chosen: ReadonlyMap<TrialRecord, string | null>,
): PartScore {
  const said = ratings.filter(({ status }) => status !== "not_asked");
  const rows = sixRows(run.run_id, said, records, (record) => chosen.get(record) ?? null);
  const shares = sixShares(rows);
  const name = run.judge === null ? "" : modelName(run.judge);
  const control = plansControl(name, said);
  const lost = ratings.filter(({ status }) => status === "lost").length;
  const graded = records.filter(({ status }) => status === "graded").length;
  const open = Math.max(0, graded * QUESTION_COUNT - ratings.length) + lost;
  const table: OwnTable = { description: SIX_PLANS, write: (write) => write(SIX_PLANS, rows) };
  const tones = { tells: "good", useless: "bad", unknown: "warning" } as const;
  return {
    scored: (record) => record,
    tables: [table, ...ratingTables(run, name, said)],
    unfinished: open === 0 ? null : `${open} choices among six plans that are not made yet`,
    warnings: [],
    reality: [],
    doubt: null,
    blocks: [...sixBlocks(shares), ...(control === null ? [] : [notice(tones[control.state], control.text)])],
    document: { six_plans: { ...shares, control } },
  };
}

/** Worth of a judge of plans: it has to choose what is wanted, and not to change nothing. */
export function plansControl(name: string, ratings: readonly RatingRecord[]): JudgeControl | null {
  const agents: ReadonlyMap<string, string> = new Map([
    ["wanted", goldAgent.name],
    ["nothing", noopAgent.name],
  ]);
  const controls = ratings.flatMap((rating): RatingRecord[] => {
    const agent = agents.get(rating.criterion_id);
    return agent === undefined ? [] : [{ ...rating, agent, criterion_id: "chosen" }];
  });
  return judgeControl(name, controls, "plans");
}
