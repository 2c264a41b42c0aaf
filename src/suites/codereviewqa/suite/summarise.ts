import { groupBy } from "../../../base/grouping.js";
import type { FormFloors } from "../../../question/floors/floors.js";
import { formName, WITHHELD } from "../../../question/form.js";
import type { ChoiceProbe, GenerationProbe } from "../../../question/question.js";
import type { Judgement } from "../../../verdict/judgement.js";
import type { AblatedForm } from "../metric/ablation-gain.js";
import { judgeChoices, reviewUnneeded } from "../metric/form-judgement.js";
import { isStoppedEarly, type QuestionScore, recordsOf } from "../metric/question-score.js";
import { summariseForm } from "../metric/summary.js";
import type { SummaryRow } from "../metric/summary-row.js";
import type { ScoredGeneration } from "../metric/written/scored-generation.js";
import { type CaseOf, casesOf, designOf, isRaced, type RunFile } from "../record/run-file.js";
import { probesOf } from "../record/stored-run.js";

/** Scores from the journals, before the summary. */
interface Scores {
  readonly questions: readonly QuestionScore[];
  readonly generations: readonly ScoredGeneration[];
  /** Floors by form name. */
  readonly floors: ReadonlyMap<string, FormFloors>;
}

/** All metrics of a run, from its scores; the score of each form carries what it is worth. Writes nothing. */
export async function summarise(run: RunFile, scores: Scores): Promise<SummaryRow[]> {
  const probes = await probesOf([run]);
  const byForm = groupBy(scores.questions, formName);
  const rows: SummaryRow[] = [];
  for (const form of run.forms) {
    const probe = probes.get(form.task);
    if (probe?.kind === "choice") rows.push(...(await choiceRows(run, form, probe, { byForm, floors: scores.floors })));
    if (probe?.kind === "generation") rows.push(...(await writtenRows(form, probe, scores.generations, casesOf(run))));
  }
  return rows;
}

async function writtenRows(
  { task, questions }: RunFile["forms"][number],
  { scoring }: GenerationProbe,
  generations: readonly ScoredGeneration[],
  caseOf: CaseOf | null,
): Promise<SummaryRow[]> {
  const written = generations.filter((generation) => generation.task === task);
  if (written.length === 0) return [];
  const [{ summariseGenerations }, { summariseOpenAnswers, judgeGenerations, judgeOpenAnswers }] = await Promise.all([
    import("../metric/written/generation-summary.js"),
    import("../metric/written/written-judgement.js"),
  ]);
  const rows =
    scoring === undefined
      ? withJudgements(summariseGenerations(task, written, caseOf), "em", written, (own) =>
          judgeGenerations(own, caseOf),
        )
      : withJudgements(summariseOpenAnswers(task, scoring, written, caseOf), "em", written, (own) =>
          judgeOpenAnswers(scoring, own, caseOf),
        );
  return withMissing(rows, questions - written.length, questions);
}

/** The questions of a run by the names of their forms, and the floors of these. */
interface FormScores extends Pick<Scores, "floors"> {
  readonly byForm: ReadonlyMap<string, readonly QuestionScore[]>;
}

/** The rows with a note on how many records of the form the journals do not hold: in the row that counts them all. */
function withMissing(rows: readonly SummaryRow[], missing: number, planned: number): SummaryRow[] {
  return rows.map((row) => {
    if (missing <= 0 || row.metric !== "failure_rate" || row.groupBy !== "overall") return row;
    return { ...row, note: `${row.note}; ${missing} of ${planned} are missing` };
  });
}

async function choiceRows(
  run: RunFile,
  form: RunFile["forms"][number],
  probe: ChoiceProbe,
  { byForm, floors: allFloors }: FormScores,
): Promise<SummaryRow[]> {
  const { task, difficulty, ablation } = form;
  const members = byForm.get(formName(form)) ?? [];
  if (members.length === 0) return [];
  const floors = allFloors.get(formName({ task, difficulty })) ?? null;
  const { optionCount } = probe;
  const [caseOf, isEarlyStop] = [casesOf(run), isStoppedEarly(run)];
  const rows = summariseForm({ probe, difficulty, ablation, caseOf }, members, isEarlyStop, floors);
  const planned = form.questions * (members[0]?.permutations ?? 0) * designOf(run).repeats;
  const recorded = members.map(recordsOf).reduce((sum, { answered, failed }) => sum + answered + failed, 0);
  const isSequential = isRaced(run);
  const noted = isEarlyStop || isSequential ? rows : withMissing(rows, planned - recorded, planned);
  // With something withheld a form is a control: it has no verdict, and is part of that of the whole form.
  if (ablation !== undefined) return noted;
  const judged = { optionCount, scores: members, floors, caseOf, isEarlyStop, isSequential };
  const controls = WITHOUT_REVIEW.flatMap((withheld) => {
    const scores = byForm.get(formName({ task, difficulty, ablation: withheld })) ?? [];
    return scores.length === 0 ? [] : [{ scores }];
  });
  const unneeded = reviewUnneeded(judged, controls);
  const whole = judgeChoices({ ...judged, unneeded });
  const judge = (own: readonly QuestionScore[]) =>
    own === members ? whole : judgeChoices({ ...judged, scores: own, unneeded });
  const rowsJudged = withJudgements(noted, "invariant_accuracy", members, judge);
  return [
    ...rowsJudged,
    ...(await gainRows(form, { whole: members, state: whole.state, caseOf, isSequential }, byForm)),
  ];
}

/** Ablations that leave the review out. */
const WITHOUT_REVIEW = ["review", "both"] as const;

/** Rows of each ablation of the form; none where nothing was withheld. */
async function gainRows(
  { task, difficulty }: RunFile["forms"][number],
  whole: Omit<AblatedForm, "ablated">,
  byForm: FormScores["byForm"],
): Promise<SummaryRow[]> {
  const ablations = WITHHELD.flatMap((withheld) => {
    const ablated = byForm.get(formName({ task, difficulty, ablation: withheld }));
    return ablated === undefined ? [] : [{ withheld, ablated }];
  });
  if (ablations.length === 0) return [];
  const { gainMeasures } = await import("../metric/ablation-gain.js");
  return ablations.flatMap(({ withheld, ablated }) => {
    return gainMeasures(withheld, { ...whole, ablated }).map((measured) => ({
      task,
      difficulty,
      groupBy: "overall" as const,
      group: "all",
      ...measured,
    }));
  });
}

/** The rows of a score carry what it is worth: of all members, and of each language. */
function withJudgements<T extends { readonly language: string }>(
  rows: readonly SummaryRow[],
  metric: SummaryRow["metric"],
  members: readonly T[],
  judge: (members: readonly T[]) => Judgement,
): SummaryRow[] {
  return rows.map((row) => {
    if (row.metric !== metric || (row.groupBy !== "overall" && row.groupBy !== "language")) return row;
    const own = row.groupBy === "overall" ? members : members.filter(({ language }) => language === row.group);
    return { ...row, detail: { ...row.detail, judgement: judge(own) } };
  });
}
