import { groupBy } from "../base/grouping.js";
import { proportion } from "../stats/interval.js";
import { benjaminiHochberg, mcNemarExact, signFlipTest } from "../stats/p-values.js";
import { JUDGEMENT_STATES, type Judgement } from "./judgement.js";
import { anytimeDifference } from "./rung.js";
import { type FormColumn, formLabel, type RunVerdicts, type Verdict, type VerdictForm } from "./verdict.js";

/** A leaderboard of one form: one row a run. */
export interface LeaderboardTable {
  readonly form: VerdictForm;
  /** Groups that any of the runs has, such as languages; in alphabetical order. */
  readonly groups: readonly string[];
  /** Rows sorted by score. */
  readonly rows: readonly LeaderboardRow[];
  /** Floors: one for all, or several where runs were asked different questions. */
  readonly floors: readonly LeaderboardFloor[];
}

/** The highest score without comprehension, 0–1, of the form and of each group; `null` where none is known. */
export interface LeaderboardFloor {
  /** The runs it is of, such as `a, b`; `null`: all. */
  readonly model: string | null;
  readonly value: number | null;
  readonly rule: string | null;
  readonly byGroup: ReadonlyMap<string, number | null>;
}

/** One run. Rates are fractions; `null` where not measured. */
export interface LeaderboardRow {
  readonly model: string;
  readonly runId: string;
  /** Items that were judged. */
  readonly n: number;
  /** The share passed, with its 95 % interval. */
  readonly overall: { readonly value: number | null; readonly ciLow: number | null; readonly ciHigh: number | null };
  /** `null`: the form is a control. */
  readonly judgement: Judgement | null;
  readonly byGroup: ReadonlyMap<string, number | null>;
  /** Judgement of each group; none where groups are not judged. */
  readonly groupJudgements: ReadonlyMap<string, Judgement>;
  /** Further numbers of the form. */
  readonly columns: readonly FormColumn[];
  /** Where the score is shown to be better than the next: overall (`null`), and of groups. */
  readonly bestOn: ReadonlySet<string | null>;
}

/** One table a form that any of the runs has, in the order in which they first stand. */
export function leaderboardTables(runs: readonly RunVerdicts[]): LeaderboardTable[] {
  const names = modelNames(runs);
  const forms = new Map(
    runs.flatMap(({ suite, forms: own }) => own.map((form) => [`${suite} ${formLabel(form)}`, form] as const)),
  );
  return [...forms].flatMap(([key, form]): LeaderboardTable[] => {
    const entries = runs.flatMap((run, i) => {
      const own = run.forms.find((each) => `${run.suite} ${formLabel(each)}` === key);
      return own === undefined || own.records.recorded === 0 ? [] : [{ run, form: own, model: names[i] ?? run.model }];
    });
    if (entries.length === 0) return [];
    const drafts = entries.map(({ run, form: own, model }) => rowOf(model, run, own));
    const groups = [...new Set(drafts.flatMap(({ byGroup }) => [...byGroup.keys()]))].sort();
    const leads = [null, ...groups].map(
      (group) => [group, leadOf(contendersOf(entries, drafts, group), { form: form.name, group })] as const,
    );
    const rows = drafts.map((row): LeaderboardRow => {
      const best = leads.filter(([, lead]) => lead?.isBest === true && lead.first === row);
      return { ...row, bestOn: new Set(best.map(([group]) => group)) };
    });
    return [{ form, groups, rows: rows.toSorted(byScore), floors: floorsOf(rows) }];
  });
}

type Draft = Omit<LeaderboardRow, "bestOn">;

/** @param group `null`: the whole form */
function contendersOf(
  entries: readonly { readonly run: RunVerdicts }[],
  rows: readonly Draft[],
  group: string | null,
): Contender<Draft>[] {
  return entries.flatMap(({ run }, i) => {
    const row = rows[i];
    if (row === undefined) return [];
    const value = group === null ? row.overall.value : (row.byGroup.get(group) ?? null);
    // A language may be judged otherwise than the whole; where none is, the whole counts.
    const judgement = group === null || row.groupJudgements.size === 0 ? row.judgement : row.groupJudgements.get(group);
    return [{ row, run, value, judgement }];
  });
}

function rowOf(model: string, run: RunVerdicts, form: VerdictForm): Draft {
  const own = run.verdicts.filter((verdict) => verdict.form === form.name && verdict.passed !== null);
  const {
    value = null,
    ciLow = null,
    ciHigh = null,
  } = form.measures.find(({ metric }) => metric === form.score.metric) ?? {};
  return {
    model,
    runId: run.runId,
    n: own.length,
    overall: { value, ciLow, ciHigh },
    judgement: form.judgement,
    byGroup: shares(own, form.groupBy),
    groupJudgements: new Map(Object.entries(form.groupJudgements ?? {})),
    columns: form.columns,
  };
}

function shares(verdicts: readonly Verdict[], groupBy: string | null): ReadonlyMap<string, number | null> {
  if (groupBy === null) return new Map();
  const groups = [...new Set(verdicts.flatMap(({ groups: own }) => own[groupBy] ?? []))];
  return new Map(
    groups.map((group) => {
      const own = verdicts.filter((verdict) => verdict.groups[groupBy] === group);
      return [group, proportion(own.filter(({ passed }) => passed === true).length, own.length)?.value ?? null];
    }),
  );
}

/** Runs with the same model are told apart by their ids; an unfinished one is called so wherever it stands beside others. */
export function modelNames(runs: readonly Pick<RunVerdicts, "model" | "runId" | "isUnfinished">[]): string[] {
  const models = runs.map(({ model }) => model);
  return runs.map(({ model, runId, isUnfinished }) => {
    const name = models.indexOf(model) === models.lastIndexOf(model) ? model : `${model} · ${runId}`;
    return isUnfinished === true ? `${name} (unfinished)` : name;
  });
}

/** Sorts by score; of equal ones the better judged comes first. */
function byScore(a: LeaderboardRow, b: LeaderboardRow): number {
  const score = (b.overall.value ?? -1) - (a.overall.value ?? -1);
  const place = ({ judgement }: LeaderboardRow) => JUDGEMENT_STATES.indexOf(judgement?.state ?? "unknown");
  return score || place(a) - place(b);
}

function floorsOf(rows: readonly LeaderboardRow[]): LeaderboardFloor[] {
  const floors = rows.flatMap(({ model, judgement, groupJudgements }): LeaderboardFloor[] => {
    const byGroup = new Map([...groupJudgements].map(([group, { floor }]) => [group, floor]));
    return judgement?.floor == null ? [] : [{ model, value: judgement.floor, rule: judgement.floorRule, byGroup }];
  });
  const alike = [...groupBy(floors, ({ value, byGroup }) => JSON.stringify([value, ...byGroup])).values()];
  return alike.flatMap(([first, ...others]): LeaderboardFloor[] => {
    if (first === undefined) return [];
    const names = [first, ...others].map(({ model }) => model).join(", ");
    return [{ ...first, model: alike.length === 1 ? null : names }];
  });
}

/** Items of two runs, or of two ways of asking: passed in the one, in the other, in both or in neither. */
interface PairedItem {
  readonly cluster: string;
  /** 1: passed in one alone; −1: in the other alone. */
  readonly difference: number;
}

/** Test of both being equally good. */
export interface PairedTest {
  readonly test: "mcnemar_exact" | "sign_flip_by_example" | "anytime_bets";
  /** Two-sided. */
  readonly pValue: number;
}

/**
 * McNemar's exact test where each cluster has one item; else the sign flip by cluster, as its items go together. Bets in
 * place of both where the number of items depends on what was answered.
 */
export function pairedTest(items: readonly PairedItem[], isSequential = false): PairedTest {
  const clusters = [...groupBy(items, ({ cluster }) => cluster).values()];
  const sums = clusters.map((own) => own.reduce((sum, { difference }) => sum + difference, 0));
  if (isSequential) {
    const means = sums.map((sum, i) => sum / (clusters[i]?.length ?? 1));
    return { test: "anytime_bets", pValue: anytimeDifference(means) };
  }
  if (clusters.length < items.length) return { test: "sign_flip_by_example", pValue: signFlipTest(sums) };
  const count = (side: number) => items.filter(({ difference }) => difference === side).length;
  return { test: "mcnemar_exact", pValue: mcNemarExact(count(-1), count(1)) };
}

/** Forms that are compared, each alone; behind the last of a pool of several, that form with all of the pool. */
export function comparedForms(
  asked: readonly VerdictForm[],
): { readonly form: VerdictForm; readonly of: readonly VerdictForm[] }[] {
  return asked.flatMap((form) => {
    const pool = asked.filter((each) => each.pool !== null && each.pool === form.pool);
    return pool.length > 1 && pool.at(-1) === form
      ? [
          { form, of: [form] },
          { form, of: pool },
        ]
      : [{ form, of: [form] }];
  });
}

/** A score that may be best of several. */
interface Contender<Row> {
  readonly row: Row;
  readonly run: RunVerdicts;
  readonly value: number | null;
  readonly judgement: Judgement | null | undefined;
}

/** The highest score above its floor, and the next. */
export interface Lead<Row> {
  readonly first: Row;
  readonly second: Row;
  /**
   * p-value of the two being equally good, adjusted over all tests that `probe compare` of the two makes; of a group over
   * those of all groups too. `null`: they were not asked the same.
   */
  readonly adjustedPValue: number | null;
  /** `true`: the first is best, as `probe compare` of the two would say. */
  readonly isBest: boolean;
}

/** A lead that chance gives in more than one of twenty is none. */
const ALPHA = 0.05;

/** What scores are of: a form by its name, `null` for a pool, or a group of it, `null` for all. */
interface Place {
  readonly form: string | null;
  readonly group: string | null;
}

/** @returns `null` for fewer than two scores, and where none is above its floor */
export function leadOf<Row>(contenders: readonly Contender<Row>[], place: Place): Lead<Row> | null {
  const scored = contenders.filter(({ value }) => value !== null).sort((a, b) => (b.value ?? 0) - (a.value ?? 0));
  const first = scored.find(({ judgement }) => judgement?.state === "above_floor");
  const second = scored.find((each) => each !== first);
  if (first === undefined || second === undefined) return null;
  const adjustedPValue = adjustedAt(place, first.run, second.run);
  const isAhead = (first.value ?? 0) > (second.value ?? 0);
  const isBest = isAhead && adjustedPValue !== null && adjustedPValue < ALPHA;
  return { first: first.row, second: second.row, adjustedPValue, isBest };
}

function adjustedAt({ form, group }: Place, first: RunVerdicts, second: RunVerdicts): number | null {
  const tests = testsOf(first, second).filter((test) => group !== null || test.group === null);
  const at = tests.findIndex((test) => test.form === form && test.group === group);
  return benjaminiHochberg(tests.map(({ pValue }) => pValue))[at] ?? null;
}

type TestAt = Place & Pick<PairedTest, "pValue">;

/** Tests by run, and by the run that it is paired with: one pair may lead on many forms and groups. */
const TESTS = new WeakMap<RunVerdicts, WeakMap<RunVerdicts, readonly TestAt[]>>();

function testsOf(first: RunVerdicts, second: RunVerdicts): readonly TestAt[] {
  const ofFirst = TESTS.get(first) ?? new WeakMap<RunVerdicts, readonly TestAt[]>();
  TESTS.set(first, ofFirst);
  const known = ofFirst.get(second) ?? makeTests(first, second);
  ofFirst.set(second, known);
  return known;
}

/** The tests that `probe compare` of two runs makes, and one a group, on all forms of which they were asked the same. */
function makeTests(first: RunVerdicts, second: RunVerdicts): TestAt[] {
  const pairs = new Map(first.forms.map((form) => [form, pairsOf(form, first, second)]));
  const asked = first.forms.filter((form) => pairs.get(form) !== null);
  const isSequential = first.isSequential === true || second.isSequential === true;
  const test = (form: string | null, group: string | null, items: readonly PairedItem[]) => {
    return { form, group, pValue: pairedTest(items, isSequential).pValue };
  };
  const itemsOf = (form: VerdictForm) => pairs.get(form) ?? [];
  return [
    ...comparedForms(asked).map(({ form, of }) => test(of.length > 1 ? null : form.name, null, of.flatMap(itemsOf))),
    ...asked.flatMap((form) =>
      [...groupBy(itemsOf(form), ({ group }) => group)].flatMap(([group, own]) =>
        group === null ? [] : [test(form.name, group, own)],
      ),
    ),
  ];
}

/** @returns `null` where the two were not asked the very same items of the form, under as many orders */
function pairsOf(asked: VerdictForm, first: RunVerdicts, second: RunVerdicts): GroupedItem[] | null {
  if (!second.forms.some((form) => formLabel(form) === formLabel(asked))) return null;
  const { name, groupBy: by } = asked;
  const isJudged = ({ form, passed }: Verdict) => form === name && passed !== null;
  const own = first.verdicts.filter(isJudged);
  const others = new Map(second.verdicts.filter(isJudged).map((verdict) => [verdict.item, verdict]));
  const pairs = own.flatMap(({ item, cluster, passed, asked, groups }) => {
    const other = others.get(item);
    if (other === undefined || (asked !== null && other.asked !== null && asked !== other.asked)) return [];
    const difference = Number(other.passed === true) - Number(passed === true);
    return [{ cluster, difference, group: by === null ? null : (groups[by] ?? null) }];
  });
  return pairs.length === 0 || pairs.length < own.length || pairs.length < others.size ? null : pairs;
}

type GroupedItem = PairedItem & Pick<Place, "group">;
