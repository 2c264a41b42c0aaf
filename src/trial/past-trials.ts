import { existsSync } from "node:fs";
import { join } from "node:path";
import { ProbeError } from "../base/errors.js";
import { knownCost, type Price } from "../model/prices.js";
import { recordedThink, type Think } from "../model/requests.js";
import type { Block } from "../report/block.js";
import {
  type ColumnOf,
  leftColumn,
  numberColumn,
  rightColumn,
  sentence,
  tableOf,
  textCell,
} from "../report/make-block.js";
import { findRuns } from "../run/folder/list-runs.js";
import { ANY_RUN } from "../run/folder/run-folder.js";
import { storedRun } from "../run/score-folder.js";
import type { Preview, StoredRun, Suite } from "../run/suite.js";
import { distributionOf } from "../stats/distribution.js";
import { RESULTS_FOLDER } from "../store/folder/work-folder.js";
import type { TrialValues } from "./trial-options.js";
import { recordsOf, TRIALS, type TrialRecord } from "./trial-records.js";
import { isControl, type TrialRun } from "./trial-run.js";

/** Measures of an attempt that past trials tell. */
const MEASURES = ["calls", "prompt_tokens", "completion_tokens", "cost"] as const;
type Measure = (typeof MEASURES)[number];

const TITLES = {
  calls: "calls of tools",
  prompt_tokens: "prompt tokens",
  completion_tokens: "generated tokens",
  cost: "cost",
} as const satisfies Record<Measure, string>;

/** A measure over past attempts, and what the trials to come would take by it. */
interface PastMeasure {
  readonly measure: Measure;
  /** Trials that tell it. */
  readonly n: number;
  readonly median: number;
  readonly least: number;
  readonly most: number;
  /** In all, at the median: each trial takes one attempt, or all that it may. */
  readonly once: number;
  readonly always: number;
}

interface Asked {
  /** Trials to come, controls left out, and the most attempts of each. */
  readonly trials: number;
  readonly attempts: number;
  /** The model, or what works in its place. */
  readonly label: string;
  readonly price: Price | null;
  /** Thoughts that are asked for; `null`: nothing is said of them. */
  readonly think: Think | null;
  readonly workingDirectory: string;
}

/** What trials to come would take, by the recorded runs of the suite under `results`: those of the same model and thoughts where there are any. */
export async function foreseenTrials(suite: Suite<TrialValues, TrialRun>, asked: Asked): Promise<Preview> {
  const runs = await pastRuns(suite, join(asked.workingDirectory, RESULTS_FOLDER));
  const think = asked.think === null ? null : recordedThink(asked.think);
  const sameModel = runs.filter(({ label }) => label === asked.label);
  const alike = sameModel.filter((run) => run.think === think);
  const own = alike.length > 0 ? alike : sameModel;
  const used = own.length > 0 ? own : runs;
  const trials = used.flatMap((run) => run.trials);
  const measures = MEASURES.flatMap((measure) => measured(measure, trials, asked) ?? []);
  if (measures.length === 0) {
    const text = `Calls, tokens and cost are not known: no trial of ${suite.name} is recorded under ${RESULTS_FOLDER}.`;
    return { blocks: [sentence(text)], document: { past: null } };
  }
  const whose = own.length > 0 ? asked.label : "other models and agents";
  const past = { runs: used.length, trials: trials.length, is_same_model: own.length > 0, attempts: asked.attempts };
  return {
    blocks: [
      sentence(
        `By ${trials.length} recorded trials of ${whose} (${used.length} ${used.length === 1 ? "run" : "runs"} under ` +
          `${RESULTS_FOLDER}), for each attempt, and for ${asked.trials} trials of 1 to ${asked.attempts} attempts at the median:`,
      ),
      pastTable(measures, asked),
      ...(think === null || used.every((run) => run.think === think)
        ? []
        : [
            sentence(
              `None of these was asked to think like this (--think ${think}): tokens and cost of such thoughts are not known.`,
            ),
          ]),
    ],
    document: { past: { ...past, measures } },
  };
}

function pastTable(measures: readonly PastMeasure[], { price }: Asked): Block {
  const title = ({ measure }: PastMeasure) =>
    measure === "cost" ? `${TITLES.cost}, ${price?.currency ?? "USD"}` : TITLES[measure];
  const columns: readonly ColumnOf<PastMeasure>[] = [
    leftColumn("measure", "measure", (row) => textCell(title(row))),
    numberColumn("trials", "trials", "count", ({ n }) => n, { importance: 3 }),
    amountColumn("median", ({ median }) => median),
    amountColumn("least", ({ least }) => least),
    amountColumn("most", ({ most }) => most),
    amountColumn("in all, one attempt", ({ once }) => once),
    amountColumn("in all, all attempts", ({ always }) => always),
  ];
  return tableOf(null, columns, measures);
}

function amountColumn(title: string, of: (row: PastMeasure) => number): ColumnOf<PastMeasure> {
  return rightColumn(title, title, (row) => textCell(of(row).toLocaleString("en-US", { maximumSignificantDigits: 3 })));
}

function measured(measure: Measure, trials: readonly TrialRecord[], asked: Asked): PastMeasure | null {
  const values = trials.flatMap((trial) => {
    const value = told(measure, trial, asked.price);
    return value === null ? [] : [value / (trial.attempts ?? 1)];
  });
  const { n, median, min, max } = distributionOf(values);
  if (median === null || min === null || max === null) return null;
  const once = median * asked.trials;
  return { measure, n, median, least: min, most: max, once, always: once * asked.attempts };
}

/** Of all attempts of a trial; the cost by the price of today where it is known. `null`: not told. */
function told(measure: Measure, trial: TrialRecord, price: Price | null): number | null {
  if (measure !== "cost") return trial[measure];
  return knownCost(price, trial.prompt_tokens, trial.completion_tokens) ?? (price === null ? trial.cost_usd : null);
}

interface PastRun {
  readonly label: string;
  /** As it is recorded; `null`: nothing is said. */
  readonly think: string | number | null;
  readonly trials: readonly TrialRecord[];
}

function thinkIn({ think = null }: StoredRun<TrialRun>["run"]["parameters"]): string | number | null {
  return typeof think === "string" || typeof think === "number" ? think : null;
}

/** Trials of the agents of past runs that did something; runs that cannot be read are passed over. */
async function pastRuns(suite: Suite<TrialValues, TrialRun>, folder: string): Promise<PastRun[]> {
  const runs: PastRun[] = [];
  for (const path of existsSync(folder) ? await findRuns(folder) : []) {
    try {
      if ((await ANY_RUN.read(path)).suite !== suite.name) continue;
      const stored = await storedRun(suite, path);
      const records = await recordsOf(stored, TRIALS);
      const trials = records.filter(({ agent, attempts }) => (attempts ?? 0) > 0 && !isControl(stored.run, agent));
      if (trials.length > 0)
        runs.push({ label: stored.run.model.label, think: thinkIn(stored.run.parameters), trials });
    } catch (error) {
      if (!(error instanceof ProbeError)) throw error;
    }
  }
  return runs;
}
