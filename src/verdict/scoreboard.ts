import type { Judgement } from "./judgement.js";
import { type Lead, leadOf, modelNames } from "./leaderboard.js";
import { type FormFloor, formLabel, type RunVerdicts, type VerdictForm } from "./verdict.js";

/** All runs by all forms: what each got, and what that is worth. */
export interface Scoreboard {
  /** The highest score of each form and the next; none where no score is above its floor, or there is one run. */
  readonly leads: ReadonlyMap<VerdictForm, Lead<RunVerdicts>>;
  /** Forms that any of the runs was asked, with nothing withheld: what is written first, then what is chosen. */
  readonly forms: readonly VerdictForm[];
  /** The best first: by the mean, then by name. */
  readonly rows: readonly ScoreboardRow[];
  /** Floors, from guessing upwards. */
  readonly floors: readonly FloorRow[];
}

/** A run. */
export interface ScoreboardRow {
  readonly model: string;
  readonly runId: string;
  /** Scores by form; none where the run was not asked it. */
  readonly scores: ReadonlyMap<VerdictForm, BoardScore>;
  /** Mean over the forms that every run was asked, 0–1; what rows are sorted by. `null` where there is none. */
  readonly mean: number | null;
}

/** A score, with its 95 % interval and what it is worth. */
export interface BoardScore {
  readonly value: number | null;
  readonly ciLow: number | null;
  readonly ciHigh: number | null;
  /** Items. */
  readonly n: number;
  readonly judgement: Judgement | null;
  /** `true`: shown to be better than the next. */
  readonly isBest: boolean;
}

/** A floor on every form that has it. */
export interface FloorRow {
  readonly id: string;
  readonly title: string;
  /** The runs it is of, where not all have the same. */
  readonly models: readonly string[] | null;
  readonly values: ReadonlyMap<VerdictForm, FormFloor>;
}

/** The scores of runs side by side (paper, Table 2). */
export function scoreboard(runs: readonly RunVerdicts[]): Scoreboard {
  const names = modelNames(runs);
  const forms = formsOf(runs);
  const shared = forms.filter((form) => runs.every((run) => scoreOf(run, form) !== null));
  const leads = new Map(
    forms.flatMap((form) => {
      const lead = leadOn(runs, form);
      return lead === null ? [] : [[form, lead] as const];
    }),
  );
  const rows = runs.map((run, i): ScoreboardRow => {
    const scores = new Map(
      forms.flatMap((form) => {
        const score = scoreOf(run, form);
        const lead = leads.get(form);
        return score === null
          ? []
          : [[form, { ...score, isBest: lead?.isBest === true && lead.first === run }] as const];
      }),
    );
    const values = shared.map((form) => scores.get(form)?.value ?? 0);
    const mean = values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
    return { model: names[i] ?? run.model, runId: run.runId, scores, mean };
  });
  rows.sort((a, b) => (b.mean ?? -1) - (a.mean ?? -1) || a.model.localeCompare(b.model, "en"));
  return { forms, rows, floors: floorRows(runs, names, forms), leads };
}

function leadOn(runs: readonly RunVerdicts[], form: VerdictForm): Lead<RunVerdicts> | null {
  const contenders = runs.flatMap((run) => {
    const score = scoreOf(run, form);
    return score === null ? [] : [{ row: run, run, ...score }];
  });
  return leadOf(contenders, { form: form.name, group: null });
}

/** Forms of all runs: written ones before choices, as in the paper. */
function formsOf(runs: readonly RunVerdicts[]): VerdictForm[] {
  const found = new Map<string, VerdictForm>();
  for (const { suite, forms } of runs) {
    for (const form of forms) {
      const key = `${suite} ${formLabel(form)}`;
      if (form.ablation === "none" && form.records.recorded > 0 && !found.has(key)) found.set(key, form);
    }
  }
  return [...found.values()].sort((a, b) => Number(a.kind === "choice") - Number(b.kind === "choice"));
}

function ownForm({ forms }: RunVerdicts, asked: VerdictForm): VerdictForm | null {
  const own = forms.find((form) => formLabel(form) === formLabel(asked) && form.score.metric === asked.score.metric);
  return own === undefined || own.records.recorded === 0 ? null : own;
}

function scoreOf(run: RunVerdicts, form: VerdictForm): Omit<BoardScore, "isBest"> | null {
  const own = ownForm(run, form);
  if (own === null) return null;
  const measure = own.measures.find(({ metric }) => metric === own.score.metric);
  const { value = null, ciLow = null, ciHigh = null, n = 0 } = measure ?? {};
  return { value, ciLow, ciHigh, n, judgement: own.judgement };
}

/** One row a floor; where runs were asked different questions, and so have different floors, one for those that have the same. */
function floorRows(runs: readonly RunVerdicts[], names: readonly string[], forms: readonly VerdictForm[]): FloorRow[] {
  const own = runs.map((run) => new Map(forms.map((form) => [form, floorsOf(ownForm(run, form))])));
  // The form that has most of them tells their order.
  const lists = own.flatMap((each) => [...each.values()]).sort((a, b) => b.length - a.length);
  return [...new Set(lists.flat().map(({ id }) => id))].flatMap((id) => {
    const rows = own.map((each) => floorsWith(id, each));
    const all = new Map(rows.flatMap((row) => [...row]));
    const isShared = rows.every((row) => [...row].every(([form, floor]) => all.get(form)?.value === floor.value));
    const made = isShared ? [{ values: all, models: null }] : joined(rows, names);
    return made.flatMap(({ values, models }): FloorRow[] => {
      const [first] = values.values();
      return first === undefined ? [] : [{ id, title: first.title, models, values }];
    });
  });
}

/** Floors of runs, joined where two have some in common and differ in none. */
function joined(rows: readonly ReadonlyMap<VerdictForm, FormFloor>[], names: readonly string[]) {
  const found: { readonly values: Map<VerdictForm, FormFloor>; readonly models: string[] }[] = [];
  for (const [i, row] of rows.entries()) {
    const name = names[i] ?? "";
    const alike = found.find(({ values }) => {
      const common = [...row].filter(([form]) => values.has(form));
      return common.length > 0 && common.every(([form, { value }]) => values.get(form)?.value === value);
    });
    if (alike === undefined) found.push({ values: new Map(row), models: [name] });
    else {
      for (const [form, floor] of row) alike.values.set(form, floor);
      alike.models.push(name);
    }
  }
  return found;
}

function floorsWith(id: string, floors: ReadonlyMap<VerdictForm, readonly FormFloor[]>): Map<VerdictForm, FormFloor> {
  return new Map(
    [...floors].flatMap(([form, own]) => {
      const floor = own.find((each) => each.id === id);
      return floor === undefined ? [] : [[form, floor] as const];
    }),
  );
}

function floorsOf(form: VerdictForm | null): readonly FormFloor[] {
  if (form === null) return [];
  const { floor = null, floorRule = null } = form.judgement ?? {};
  return form.floors ?? (floor === null ? [] : [{ id: "floor", title: "the highest", value: floor, rule: floorRule }]);
}
