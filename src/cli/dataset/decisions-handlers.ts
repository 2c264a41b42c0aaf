import { realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { badInput } from "../../base/errors.js";
import { type Console, EXIT, type ExitCode, jsonText } from "../../console/console.js";
import { requireWritable } from "../../console/output-file.js";
import { datasetFile } from "../../dataset/dataset-file.js";
import { totalOf } from "../../dataset/funnel.js";
import type { Block } from "../../report/block.js";
import { type ColumnOf, numberColumn, sentence, tableOf, textColumn } from "../../report/make-block.js";
import { showBlocks } from "../../report/terminal.js";
import {
  type CategoryAgreement,
  type Comparison,
  compareDecisions,
  type KappaRounds,
  type KappaSpread,
  kappaByRound,
  type RoundSplit,
  requireSameDataset,
} from "../../review/annotator-agreement.js";
import { type Applied, applyDecisions } from "../../review/decision-application.js";
import { type DecisionsFile, readDecisions } from "../../review/decisions-file.js";
import type { ApplyValues, KappaValues } from "./dataset-options.js";
import { funnelTable } from "./funnel-table.js";
import { kappaBlocks } from "./kappa-blocks.js";

interface Agreed {
  readonly out: string;
  readonly applied: Applied;
}

/** `probe dataset kappa`: agreement, by round if asked for, conflicts and, with `--resolve`, the agreed set. */
export async function handleKappa(values: KappaValues, console: Console): Promise<ExitCode> {
  const split = roundSplit(values);
  const [a, b] = await readBoth(values, console);
  const comparison = compareDecisions(a, b);
  const rounds = split === null ? null : kappaByRound(a, b, split);
  const agreed = await resolveAgreed(values, a, b, console);
  if (values.json) {
    console.out(jsonText(kappaDocument(comparison, rounds, agreed)));
    return EXIT.done;
  }
  showBlocks(console, kappaBlocks(comparison, rounds));
  showBlocks(console, agreed === null ? nextBlocks(comparison, a, b) : agreedBlocks(agreed), "err");
  return EXIT.done;
}

function roundSplit({ rounds, roundSize: size }: KappaValues): RoundSplit | null {
  if (rounds !== null && size !== null)
    throw badInput("Expected --rounds or --round-size, found both. Give one of them.");
  if (rounds !== null) return { by: "rounds", rounds };
  return size === null ? null : { by: "size", size };
}

/** Next steps: resolve the conflicts of the two, then take what is left. */
function nextBlocks({ conflicts }: Comparison, a: DecisionsFile, b: DecisionsFile): Block[] {
  const data = dataOf(a);
  const both = `${a.path} ${b.path}`;
  const apply = `probe dataset apply ${data} ${both} --out FILE`;
  if (conflicts.length === 0) return [sentence(`What they leave: ${apply}`)];
  return [
    sentence(
      `Resolve the conflicts together: probe dataset review ${data} -a both --conflicts ${a.path} --conflicts ${b.path}`,
    ),
    sentence(`Then: ${apply} --resolutions ${data}.review.both.jsonl`),
  ];
}

function dataOf({ path, header }: DecisionsFile): string {
  return join(dirname(path), header.dataset.path);
}

function agreedBlocks({ out, applied }: Agreed): Block[] {
  const { kept, read } = applied.funnel;
  return [...appliedTables(applied), sentence(`Agreed on ${totalOf(kept)} of ${totalOf(read)} reviews: ${out}`)];
}

async function readBoth({ a, b }: KappaValues, console: Console): Promise<[DecisionsFile, DecisionsFile]> {
  const files: [DecisionsFile, DecisionsFile] = [await readWithNote(a, console), await readWithNote(b, console)];
  if ((await realpath(a)) !== (await realpath(b))) return files;
  throw badInput(
    `Expected two decisions files, found ${a} twice. One annotator alone has nobody to agree with; what the decisions ` +
      `leave: probe dataset apply FILE ${a} --out OUT`,
  );
}

async function resolveAgreed(
  { resolve: out, resolutions: resolutionsPath, data: dataPath, overwrite }: KappaValues,
  a: DecisionsFile,
  b: DecisionsFile,
  console: Console,
): Promise<Agreed | null> {
  if (out === null) {
    if (resolutionsPath === null) return null;
    throw badInput("Expected --resolve FILE beside --resolutions, found none.");
  }
  const data = dataPath ?? dataOf(a);
  const inputs = [a.path, b.path, data, resolutionsPath];
  await requireWritable([{ option: "resolve", path: out }], { inputs, overwrite });
  const resolutions = resolutionsPath === null ? null : await readWithNote(resolutionsPath, console);
  if (resolutions !== null) requireSameDataset(a, resolutions);
  const dataAdvice = "Say where it is with --data.";
  const request = { files: [a, b], resolutions, keepsUndecided: false, data, dataAdvice, out };
  return { out, applied: await applyDecisions(request) };
}

/** Document of `probe dataset kappa --json`; absent statistics are `null`. */
function kappaDocument(
  comparison: Comparison,
  rounds: KappaRounds | null,
  agreed: { readonly out: string; readonly applied: Applied } | null,
) {
  const { onlyA, onlyB, neither, keepDrop, allCategories, conflicts, ...counts } = comparison;
  return {
    ...counts,
    only_a: onlyA,
    only_b: onlyB,
    neither,
    keep_or_drop: agreementDocument(keepDrop),
    all_categories: agreementDocument(allCategories),
    rounds: rounds === null ? null : roundsDocument(rounds),
    conflicts,
    agreed:
      agreed === null ? null : { out: agreed.out, funnel: agreed.applied.funnel, questions: agreed.applied.questions },
  };
}

function roundsDocument({ rounds, keepDrop, allCategories }: KappaRounds) {
  return {
    keep_or_drop: spreadDocument(keepDrop),
    all_categories: spreadDocument(allCategories),
    list: rounds.map((each) => ({
      round: each.round,
      from: each.from,
      n: each.keepDrop.n,
      keep_or_drop: agreementDocument(each.keepDrop),
      all_categories: agreementDocument(each.allCategories),
    })),
  };
}

function spreadDocument({ n, excluded, mean, sd }: KappaSpread) {
  return { rounds: n, rounds_without_kappa: excluded, mean, standard_deviation: sd };
}

function agreementDocument(agreement: CategoryAgreement) {
  const { low, high, ...numbers } = agreement;
  return { ...numbers, ci_low: low, ci_high: high };
}

/** `probe dataset apply`: what the check by hand leaves of a file. */
export async function handleApply(values: ApplyValues, console: Console): Promise<ExitCode> {
  const { decisions, out, resolutions: resolutionsPath, keepUndecided, overwrite, json } = values;
  const file = datasetFile(values.file);
  const inputs = [file, ...decisions, resolutionsPath];
  await requireWritable([{ option: "out", path: out }], { inputs, overwrite });
  await requireDistinct(decisions);
  const files: DecisionsFile[] = [];
  for (const path of decisions) files.push(await readWithNote(path, console));
  const resolutions = resolutionsPath === null ? null : await readWithNote(resolutionsPath, console);
  requireDecided(files);
  const [first] = files;
  if (first !== undefined && resolutions !== null) requireSameDataset(first, resolutions);
  const applied = await applyDecisions({
    files,
    resolutions,
    data: file,
    out,
    dataAdvice: "Name the file that was reviewed, before the decisions.",
    keepsUndecided: keepUndecided,
  });
  if (json) console.out(jsonText({ file, out, ...applied }));
  else showBlocks(console, appliedBlocks(applied, out), "err");
  return EXIT.done;
}

/** Nothing is applied of files in which nobody decided anything: all examples would go, or all stay. */
function requireDecided(files: readonly DecisionsFile[]): void {
  if (files.some(({ decisions }) => decisions.size > 0)) return;
  throw badInput(
    "Expected a decision about at least one example, found none; nothing was written. Decide: probe dataset review FILE " +
      "--annotator NAME",
  );
}

/** A person counts once. */
async function requireDistinct(paths: readonly string[]): Promise<void> {
  const real = await Promise.all(paths.map((path) => realpath(path).catch(() => path)));
  const twice = paths.find((_, i) => real.indexOf(real[i] ?? "") !== i);
  if (twice === undefined) return;
  throw badInput(`Expected each decisions file once, found ${twice} twice. Name it once.`);
}

function appliedBlocks(applied: Applied, out: string): Block[] {
  const { funnel, withQuestions } = applied;
  const kept = totalOf(funnel.kept);
  return [
    ...appliedTables(applied),
    sentence(`Kept ${kept} of ${totalOf(funnel.read)} examples: ${out}`),
    ...(kept > 0 ? [sentence(nextStep(withQuestions, out))] : []),
  ];
}

function nextStep(withQuestions: number, out: string): string {
  return withQuestions > 0
    ? `Ask them: probe run --model MODEL --dataset ${out}`
    : `Make questions of them: probe dataset build ${out} --out FILE`;
}

type DroppedRow = Applied["questions"][number];

const DROPPED_COLUMNS: readonly ColumnOf<DroppedRow>[] = [
  textColumn("question", "question", ({ form }) => form),
  textColumn("reason", "dropped, because", ({ reason }) => reason.replaceAll("_", " ")),
  numberColumn("n", "n", "count", ({ count }) => count),
];

/** Tables of examples kept and dropped, and of the questions of those that were kept. */
function appliedTables({ funnel, questions }: Applied): Block[] {
  if (questions.length === 0) return [funnelTable(funnel)];
  return [
    funnelTable(funnel),
    tableOf("Questions of kept examples that are asked no more", DROPPED_COLUMNS, questions),
  ];
}

/** Decisions of one annotator; a torn last line is passed over with a word. */
async function readWithNote(path: string, console: Console): Promise<DecisionsFile> {
  const file = await readDecisions(path);
  if (file.tornBytes > 0) {
    console.err(`${path}: passed over a torn last line (${file.tornBytes} bytes).\n`);
  }
  return file;
}
