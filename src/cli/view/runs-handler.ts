import { type Console, EXIT, type ExitCode, jsonText } from "../../console/console.js";
import type { Block } from "../../report/block.js";
import { CONTROL, STATE_WORDS } from "../../report/judgement-words.js";
import {
  type ColumnOf,
  EMPTY,
  leftColumn,
  notice,
  numberCell,
  rightColumn,
  sentence,
  tableOf,
  textCell,
} from "../../report/make-block.js";
import { showBlocks } from "../../report/terminal.js";
import { type ListedRun, listRuns, RUN_TONES } from "../../run/folder/list-runs.js";
import type { Suites } from "../../run/suite-entry.js";
import { RESULTS_FOLDER } from "../../store/folder/work-folder.js";
import { judgementText } from "../../verdict/judgement.js";
import { formLabel } from "../../verdict/verdict.js";

/** Lists the runs of a folder. */
export async function handleRuns(
  suites: Suites,
  values: { readonly folder: string | null; readonly json: boolean },
  console: Console,
): Promise<ExitCode> {
  const folder = values.folder ?? RESULTS_FOLDER;
  const runs = await listRuns(suites, folder);
  if (values.json) console.out(jsonText({ runs: runs.map(runEntry) }));
  else showBlocks(console, blocks(runs, folder));
  return EXIT.done;
}

/** A run as `--json` prints it. */
function runEntry({ forms, problem, ...head }: ListedRun): object {
  const entries = forms.map(({ name, task, difficulty, ablation, orders, judgement }) => {
    const own = { name, orders };
    if (judgement === null) return { ...own, judgement };
    const { sentence: _, ...numbers } = judgement;
    return { ...own, judgement: { task, difficulty, ablation, ...numbers, text: judgementText(judgement) } };
  });
  return { ...head, forms: entries, problem };
}

function blocks(runs: readonly ListedRun[], folder: string): Block[] {
  if (runs.length === 0) return [sentence(`No runs in ${folder}. \`probe run\` makes one.`)];
  const problems = runs.flatMap(({ folder: place, problem }) =>
    problem === null ? [] : [notice("bad", `${place}: ${problem}`)],
  );
  // A folder has a line of its own, where it stays whole to be copied, however narrow the terminal is.
  const folders = runs.map(({ folder: place }, i) => ({ name: String(i + 1), parts: [place] }));
  return [tableOf(null, COLUMNS, runs.flatMap(linesOf)), { kind: "facts", facts: folders }, ...problems];
}

/** A form of a run, or a run that has none to show; what is the same for its forms stands in its first line. */
interface Line {
  readonly run: ListedRun;
  /** Number of the run in the list, from 1 on. */
  readonly number: number;
  readonly form: ListedRun["forms"][number] | null;
  readonly isFirst: boolean;
}

function linesOf(run: ListedRun, place: number): Line[] {
  const number = place + 1;
  if (run.forms.length === 0) return [{ run, number, form: null, isFirst: true }];
  return run.forms.map((form, i) => ({ run, number, form, isFirst: i === 0 }));
}

const COLUMNS: readonly ColumnOf<Line>[] = [
  leftColumn("number", "#", ({ number, isFirst }) => (isFirst ? textCell(String(number)) : EMPTY)),
  ofRun("date", 2, ({ createdAt }) => (createdAt === null ? null : createdAt.slice(0, 16).replace("T", " "))),
  ofRun("suite", 3, ({ suite }) => suite),
  ofRun("model", 1, ({ model }) => model),
  leftColumn("probe", "probe", ({ form }) => (form === null ? EMPTY : textCell(formLabel(form)))),
  leftColumn("state", "state", ({ run, isFirst }) => (isFirst ? textCell(run.state, RUN_TONES[run.state]) : EMPTY)),
  rightColumn("score", "score", ({ form }) => {
    if (form === null || form.judgement === null) return EMPTY;
    const { score, mark } = form.judgement;
    return numberCell(score, "fraction", { ...(mark && { badge: mark }) });
  }),
  leftColumn("verdict", "verdict", ({ form }) => {
    if (form === null) return EMPTY;
    if (form.judgement === null) return textCell(CONTROL);
    const { text, tone } = STATE_WORDS[form.judgement.state];
    return textCell(text, tone);
  }),
];

function ofRun(id: string, importance: 1 | 2 | 3, of: (run: ListedRun) => string | null): ColumnOf<Line> {
  return leftColumn(
    id,
    id,
    ({ run, isFirst }) => {
      const text = isFirst ? of(run) : null;
      return text === null ? EMPTY : textCell(text);
    },
    { importance },
  );
}
