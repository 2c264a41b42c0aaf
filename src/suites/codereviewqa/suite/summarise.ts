import { groupBy } from "../../../base/grouping.js";
import type { FormFloors } from "../../../question/floors/floors.js";
import { formName, WITHHELD } from "../../../question/form.js";
import type { ChoiceProbe } from "../../../question/question.js";
import type { Judgement } from "../../../verdict/judgement.js";
import { gainMeasures } from "../metric/ablation-gain.js";
import { judgeChoices, reviewUnneeded } from "../metric/form-judgement.js";
import { type ScoredGeneration, summariseGenerations } from "../metric/generation-summary.js";
import { summariseOpenAnswers } from "../metric/open-answers.js";
import type { QuestionScore } from "../metric/question-score.js";
import { isStoppedEarly } from "../metric/question-score.js";
import { summariseForm } from "../metric/summary.js";
import type { SummaryRow } from "../metric/summary-row.js";
import { judgeGenerations, judgeOpenAnswers } from "../metric/written-judgement.js";
import { probesOf } from "../record/recorded-probes.js";
import type { RunFile } from "../record/run-file.js";
import { casesOf } from "../record/run-file.js";

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
  return run.forms.flatMap((form) => {
    const probe = probes.get(form.task);
    if (probe === undefined) return [];
    if (probe.kind === "choice") return choiceRows(run, form, probe, { byForm, floors: scores.floors });
    const written = scores.generations.filter((generation) => generation.task === form.task);
    if (written.length === 0) return [];
    const { scoring } = probe;
    const rows =
      scoring === undefined
        ? withJudgements(summariseGenerations(form.task, written), "em", written, judgeGenerations)
        : withJudgements(summariseOpenAnswers(form.task, scoring, written), "em", written, (own) =>
            judgeOpenAnswers(scoring, own),
          );
    return withMissing(rows, form.questions - written.length, form.questions);
  });
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

function choiceRows(
  run: RunFile,
  form: RunFile["forms"][number],
  probe: ChoiceProbe,
  { byForm, floors: allFloors }: FormScores,
): SummaryRow[] {
  const { task, difficulty, ablation } = form;
  const members = byForm.get(formName(form)) ?? [];
  if (members.length === 0) return [];
  const floors = allFloors.get(formName({ task, difficulty })) ?? null;
  const { optionCount } = probe;
  const [caseOf, isEarlyStop] = [casesOf(run), isStoppedEarly(run)];
  const rows = summariseForm({ probe, difficulty, ablation, caseOf }, members, isEarlyStop, floors);
  const planned = form.questions * (members[0]?.permutations ?? 0);
  const recorded = members.reduce((sum, { answered, failed }) => sum + answered + failed, 0);
  const noted = isEarlyStop ? rows : withMissing(rows, planned - recorded, planned);
  // With something withheld a form is a control: it has no verdict, and is part of that of the whole form.
  if (ablation !== undefined) return noted;
  const judged = { optionCount, scores: members, floors, caseOf, isEarlyStop };
  const controls = WITHOUT_REVIEW.flatMap((withheld) => {
    const scores = byForm.get(formName({ task, difficulty, ablation: withheld })) ?? [];
    return scores.length === 0 ? [] : [{ scores }];
  });
  const unneeded = reviewUnneeded(judged, controls);
  const whole = judgeChoices({ ...judged, unneeded });
  const judge = (own: readonly QuestionScore[]) =>
    own === members ? whole : judgeChoices({ ...judged, scores: own, unneeded });
  const rowsJudged = withJudgements(noted, "invariant_accuracy", members, judge);
  return [...rowsJudged, ...gainRows(form, members, byForm, whole.state)];
}

/** Ablations that leave the review out. */
const WITHOUT_REVIEW = ["review", "both"] as const;

/** Rows of each ablation of the form; none where nothing was withheld. */
function gainRows(
  { task, difficulty }: RunFile["forms"][number],
  whole: readonly QuestionScore[],
  byForm: FormScores["byForm"],
  state: Judgement["state"],
): SummaryRow[] {
  return WITHHELD.flatMap((withheld) => {
    const ablated = byForm.get(formName({ task, difficulty, ablation: withheld })) ?? [];
    return gainMeasures(withheld, { whole, ablated, state }).map((measured) => ({
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
    if (row.metric !== metric || row.groupBy === "change_type") return row;
    const own = row.groupBy === "overall" ? members : members.filter(({ language }) => language === row.group);
    return { ...row, detail: { ...row.detail, judgement: judge(own) } };
  });
}
