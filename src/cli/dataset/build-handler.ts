import { existsSync } from "node:fs";
import { ProbeError } from "../../base/errors.js";
import { choice, settings, single, wholeNumber } from "../../console/arguments.js";
import { EXIT, type ExitCode } from "../../console/command.js";
import type { Console } from "../../console/console.js";
import { connectionOf, MODEL_OPTIONS } from "../../console/model-options.js";
import { type GivenOptions, parseOptions } from "../../console/option.js";
import { requireWritable } from "../../console/output-file.js";
import { barProgress, interruptibly } from "../../console/progress.js";
import { showBlocks } from "../../console/show-blocks.js";
import { datasetFile, inspectDataset, readExamples } from "../../dataset/dataset-file.js";
import { type BuildOutcome, type BuildRequest, buildDataset } from "../../distractors/build-dataset.js";
import { BUILD_METHODS, type BuildMethod, outputPaths } from "../../distractors/build-files.js";
import { CL_ORDERS, type ClOrder } from "../../distractors/build-record.js";
import type { SurrogateRoles } from "../../distractors/surrogate.js";
import { loadAliases } from "../../model/model-aliases.js";
import { resolveModel, withSettings } from "../../model/resolved-model.js";
import { measureShortcuts } from "../../question/floors/shortcuts.js";
import type { Block } from "../../report/block.js";
import { notice, sentence } from "../../report/make-block.js";
import { countsTable, funnelTable } from "./funnel-table.js";
import { required } from "./required.js";
import { shortcutLines } from "./shortcuts-table.js";

type Option = string | string[] | undefined;

/** What yargs gives. */
export interface BuildArguments extends GivenOptions {
  readonly input: string;
  readonly out?: Option;
  readonly surrogate?: Option;
  readonly scorer?: Option;
  readonly embedder?: Option;
  readonly seed?: Option;
  readonly limit?: Option;
  readonly method?: Option;
  readonly clOrder?: Option;
  readonly onlyComplete?: boolean | undefined;
  readonly modelArg?: Option;
  readonly baseUrl?: Option;
  readonly apiKeyEnv?: Option;
  readonly apiKeyFile?: Option;
  readonly concurrency?: Option;
  readonly force?: boolean | undefined;
  readonly skipInvalid?: boolean | undefined;
  readonly overwrite?: boolean | undefined;
  readonly json?: boolean | undefined;
  readonly quiet?: boolean | undefined;
}

/** `probe dataset build`. */
export async function handleBuild(given: BuildArguments, console: Console): Promise<ExitCode> {
  const request = await parseRequest(given, console.workingDirectory);
  await requireOutputs(request);
  const started = console.now().getTime();
  const outcome = await buildInterruptibly(request, given.quiet === true, console);
  if (outcome.status === "interrupted") {
    console.err(
      `Stopped with ${outcome.done} of ${outcome.total} examples built. The same command goes on where it stopped.\n`,
    );
    return EXIT.interrupted;
  }
  if (given.json === true)
    console.out(`${JSON.stringify({ out: request.out, warning: outcome.warning, ...outcome.result }, null, 2)}\n`);
  else {
    const seconds = (console.now().getTime() - started) / 1000;
    showBlocks(console, [...buildBlocks(outcome, request.out, seconds), ...(await givenAway(request.out))]);
  }
  return EXIT.done;
}

/** What the records that were built give away, in short. */
async function givenAway(out: string): Promise<Block[]> {
  const { lines } = await inspectDataset(out);
  const report = shortcutLines(await measureShortcuts(readExamples(out, new Set(lines))));
  return ["What the questions give away", ...report, `  probe dataset shortcuts ${out}`].map((line) => sentence(line));
}

/** Before a model is loaded: the records, and what is written beside them. */
async function requireOutputs({ input, out, overwrite }: BuildRequest): Promise<void> {
  const { records, explanations, description } = outputPaths(out);
  const outputs = [records, explanations, description].map((path) => ({ option: "out", path }));
  await requireWritable(outputs, { inputs: [input], overwrite });
}

async function parseRequest(given: BuildArguments, workingDirectory: string): Promise<BuildRequest> {
  const out = required("out", given.out);
  return {
    input: datasetFile(given.input),
    out,
    surrogate: await parseSurrogate(given, workingDirectory),
    seed: wholeNumber("seed", given.seed, 0) ?? 0,
    limit: wholeNumber("limit", given.limit, 1) ?? null,
    ...methodOf(given),
    onlyComplete: given.onlyComplete === true,
    skipInvalid: given.skipInvalid === true,
    // A build that was killed while it wrote its output goes on all the same.
    overwrite: given.overwrite === true || existsSync(outputPaths(out).partial),
  };
}

/** How wrong options are made; an order is one of the paper's choices. */
function methodOf(given: BuildArguments): { method: BuildMethod; clOrder: ClOrder } {
  const method = choice("method", given.method, BUILD_METHODS) ?? "matched";
  const clOrder = choice("cl-order", given.clOrder, CL_ORDERS);
  if (method === "matched" && clOrder !== undefined) {
    throw new ProbeError(
      "bad_input",
      "Expected --cl-order with --method paper, found it with --method matched. Give --method paper, or leave --cl-order out.",
    );
  }
  return { method, clOrder: clOrder ?? "sampled" };
}

/** `null` without --surrogate: it is named, not assumed, since it decides what the SI questions are worth. */
async function parseSurrogate(given: BuildArguments, workingDirectory: string): Promise<SurrogateRoles | null> {
  const aliases = await loadAliases(workingDirectory);
  const name = single("surrogate", given.surrogate);
  const [scorer, embedder] = [single("scorer", given.scorer), single("embedder", given.embedder)];
  if (name === undefined) {
    if (scorer === undefined && embedder === undefined) return null;
    const option = scorer === undefined ? "--embedder" : "--scorer";
    throw new ProbeError(
      "bad_input",
      `Expected --surrogate beside ${option}, found none. Name the model that infills.`,
    );
  }
  const infiller = withSettings(resolveModel(name, aliases), settings(given.modelArg));
  const other = (label: string | undefined) => (label === undefined ? infiller : resolveModel(label, aliases));
  return {
    infiller,
    scorer: other(scorer),
    embedder: other(embedder),
    connection: connectionOf(parseOptions(MODEL_OPTIONS, given)),
  };
}

function buildInterruptibly(request: BuildRequest, quiet: boolean, console: Console): Promise<BuildOutcome> {
  const progress = barProgress(console, quiet);
  const observer = {
    onMessage: progress.message,
    onDownload: progress.download,
    onStart: (total: number, done: number) => progress.start(total, done, "examples"),
    onExample: () => progress.advance(),
  };
  return interruptibly(console, progress, (signal) => buildDataset({ request, signal, observer }));
}

type CompleteBuild = Extract<BuildOutcome, { readonly status: "complete" }>;

/** What `probe dataset build` shows: what became of the examples, and of the questions about those that were kept. */
function buildBlocks({ result, warning }: CompleteBuild, out: string, seconds: number): Block[] {
  const { examples, questions } = result;
  const { explanations, description } = outputPaths(out);
  const rows = Object.entries(questions).flatMap(([task, { kept, drops }]) => [
    [task, kept] as const,
    ...drops.map(({ reason, counts }) => [`  no ${task}: ${reason}`, counts] as const),
  ]);
  const facts = {
    Records: out,
    "How each SI distractor came to be": explanations,
    "What was built from what": description,
  };
  return [
    funnelTable(examples, "Examples"),
    countsTable(rows, "Questions about them (CL and SI: one easy and one hard each)"),
    { kind: "facts", facts: Object.entries(facts).map(([name, path]) => ({ name, parts: [path] })) },
    ...(warning === null ? [] : [notice("warning", warning)]),
    sentence(
      `Took ${seconds.toFixed(1)} s. No program can tell that a distractor is wrong: look at them before you trust the numbers.`,
    ),
    { kind: "list", items: [[{ kind: "code", text: `probe dataset review ${out} --annotator NAME` }]] },
  ];
}
