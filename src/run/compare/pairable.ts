import { ProbeError } from "../../base/errors.js";
import { shellWord } from "../../base/shell-word.js";
import type { RunVerdicts, Verdict } from "../../verdict/verdict.js";
import type { RunRecord } from "../run-record.js";
import type { ScoredRun } from "../score-folder.js";
import type { AnySuite } from "../suite.js";
import { type Asked, firstOther, promptDifferences, refuseDifferent } from "./differences.js";

/** A run and where it is, before its journals are read. */
export interface NamedRun {
  /** As it was named. */
  readonly folder: string;
  /** Without links, so that one folder has one path. */
  readonly path: string;
  readonly suite: AnySuite;
  readonly run: RunRecord;
}

/**
 * Makes sure, by what `run.json` tells, that two runs can be paired: two runs of one suite, not one twice, over the same
 * data and with the same prompts.
 * @throws ProbeError `bad_input` naming what differs
 */
export function requirePairable(first: NamedRun, second: NamedRun): void {
  const isSameFolder = first.path === second.path;
  if (isSameFolder || first.run.run_id === second.run.run_id) {
    const why = isSameFolder ? "one folder" : `both have the run id ${first.run.run_id}`;
    throw new ProbeError(
      "bad_input",
      `Expected different runs, found one of them twice: ${first.folder} and ${second.folder} (${why}). Name another run.`,
    );
  }
  if (first.suite.name !== second.suite.name) {
    throw new ProbeError(
      "bad_input",
      `Expected runs of one suite, found ${first.suite.name} in ${first.folder} and ${second.suite.name} in ` +
        `${second.folder}. Name runs of the same suite.`,
    );
  }
  refuseDifferent(first, second, [
    ...first.suite.dataDifferences(first.run, second.run),
    ...promptDifferences(first.run, second.run),
  ]);
}

/**
 * Makes sure that finished runs hold the same forms and items, by name and by what was asked.
 * @param command what makes such runs, such as `probe run`
 * @throws ProbeError `bad_input` when one is unfinished, or naming the first item that is not the same
 */
export function requireSameItems(first: ScoredRun, second: ScoredRun, command: string): void {
  for (const { score, folder } of [first, second]) {
    if (score.unfinished === null) continue;
    throw new ProbeError(
      "bad_input",
      `Expected a finished run in ${folder}, found ${score.unfinished}. ` +
        `Finish it first: ${command} --resume ${shellWord(folder)}`,
    );
  }
  const [then, now] = [first.score.verdicts, second.score.verdicts];
  const forms = formDifferences(then, now);
  const items = () => firstOther("item", then.verdicts.map(asked), now.verdicts.map(asked));
  refuseDifferent(first, second, forms.length > 0 ? forms : items());
}

function formDifferences(then: RunVerdicts, now: RunVerdicts): string[] {
  const count = ({ verdicts }: RunVerdicts) => {
    const counts = new Map<string, number>();
    for (const { form } of verdicts) counts.set(form, (counts.get(form) ?? 0) + 1);
    return counts;
  };
  const [before, after] = [count(then), count(now)];
  const items = new Map([...then.forms, ...now.forms].map((form) => [form.name, form.items]));
  const shown = (form: string, n: number | undefined) =>
    n === undefined ? "not asked" : `${n} ${items.get(form) ?? "items"}`;
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((form) => before.get(form) !== after.get(form))
    .map((form) => `probe ${form}: ${shown(form, before.get(form))} and ${shown(form, after.get(form))}`);
}

function asked({ form, item, asked }: Verdict): Asked {
  return { place: `${form} ${item}`, promptSha256: asked };
}
