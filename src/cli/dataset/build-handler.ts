import { existsSync } from "node:fs";
import { badInput } from "../../base/errors.js";
import { type Console, EXIT, type ExitCode, jsonText } from "../../console/console.js";
import { connectionOf } from "../../console/model-options.js";
import { settings } from "../../console/option.js";
import { requireWritable } from "../../console/output-file.js";
import { barProgress, interruptibly } from "../../console/progress.js";
import { datasetFile, inspectDataset, readExamples } from "../../dataset/dataset-file.js";
import { type BuildOutcome, type BuildRequest, buildDataset } from "../../distractors/build-dataset.js";
import { outputPaths } from "../../distractors/build-files.js";
import { TOO_FEW } from "../../distractors/near-miss/solution-choices.js";
import type { SurrogateRoles } from "../../distractors/surrogate.js";
import type { WriterRequest } from "../../distractors/writer.js";
import { IN_DOUBT } from "../../distractors/written-misses.js";
import { loadAliases } from "../../model/model-aliases.js";
import { resolveModel, withSettings } from "../../model/resolved-model.js";
import { measureShortcuts } from "../../question/floors/shortcuts.js";
import type { Block } from "../../report/block.js";
import { notice, sentence } from "../../report/make-block.js";
import { showBlocks } from "../../report/terminal.js";
import type { BuildValues } from "./dataset-options.js";
import { countsTable, funnelTable } from "./funnel-table.js";
import { shortcutLines } from "./shortcuts-handler.js";

/** `probe dataset build`. */
export async function handleBuild(values: BuildValues, console: Console): Promise<ExitCode> {
  const request = await parseRequest(values, console.workingDirectory);
  await requireOutputs(request);
  const started = console.now().getTime();
  const outcome = await buildInterruptibly(request, values.quiet, console);
  if (outcome.status === "interrupted") {
    console.err(
      `Stopped with ${outcome.done} of ${outcome.total} examples built. The same command goes on where it stopped.\n`,
    );
    return EXIT.interrupted;
  }
  if (values.json) console.out(jsonText({ out: request.out, warning: outcome.warning, ...outcome.result }));
  else {
    const seconds = (console.now().getTime() - started) / 1000;
    showBlocks(console, [...buildBlocks(outcome, request, seconds), ...(await givenAway(request.out))]);
  }
  return EXIT.done;
}

/** Short table of the shortcuts in the records that were built. */
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

async function parseRequest(values: BuildValues, workingDirectory: string): Promise<BuildRequest> {
  const { out, seed, limit, onlyComplete, needsReading, skipInvalid } = values;
  return {
    input: datasetFile(values.input),
    out,
    writer: await parseWriter(values, workingDirectory),
    surrogate: await parseSurrogate(values, workingDirectory),
    seed,
    limit,
    ...methodOf(values),
    onlyComplete,
    needsReading,
    skipInvalid,
    // A build that was killed while it wrote its output goes on all the same.
    overwrite: values.overwrite || existsSync(outputPaths(out).partial),
  };
}

/** Method of making wrong options; an order is one of the paper's choices. */
function methodOf({ method, clOrder }: BuildValues): Pick<BuildRequest, "method" | "clOrder"> {
  if (method === "matched" && clOrder !== null) {
    throw badInput(
      "Expected --cl-order with --method paper, found it with --method matched. Give --method paper, or leave --cl-order out.",
    );
  }
  return { method, clOrder: clOrder ?? "sampled" };
}

/** `null` without --surrogate: it is named, not assumed, since it decides what the SI questions are worth. */
async function parseSurrogate(values: BuildValues, workingDirectory: string): Promise<SurrogateRoles | null> {
  const aliases = await loadAliases(workingDirectory);
  const { surrogate: name, scorer, embedder } = values;
  if (name === null) {
    if (scorer === null && embedder === null) return null;
    const option = scorer === null ? "--embedder" : "--scorer";
    throw badInput(`Expected --surrogate beside ${option}, found none. Name the model that infills.`);
  }
  const infiller = withSettings(resolveModel(name, aliases), settings(values.modelArg));
  const other = (label: string | null) => (label === null ? infiller : resolveModel(label, aliases));
  return {
    infiller,
    scorer: other(scorer),
    embedder: other(embedder),
    connection: connectionOf({ ...values, allowGenerated: false }, infiller),
  };
}

/** `null` without --writer: near misses are those that code and review tell. */
async function parseWriter(values: BuildValues, workingDirectory: string): Promise<WriterRequest | null> {
  const { writer, surrogate, method } = values;
  if (writer === null) return null;
  const other = method === "paper" ? "--method paper" : surrogate === null ? null : "--surrogate";
  if (other !== null) {
    throw badInput(
      `Expected --writer alone, found ${other} beside it. Near misses that a model writes are for --method matched, and need no surrogate: leave one of the two out.`,
    );
  }
  const model = withSettings(resolveModel(writer, await loadAliases(workingDirectory)), settings(values.modelArg));
  return { model, connection: connectionOf({ ...values, allowGenerated: false }, model) };
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

/** Output of `probe dataset build`: examples kept and dropped, and the questions about those that were kept. */
function buildBlocks({ result, warning }: CompleteBuild, { out, method }: BuildRequest, seconds: number): Block[] {
  const { examples, questions, written } = result;
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
    ...(written === undefined ? [] : writtenBlocks(written, questions.SI)),
    ...(written === undefined && method === "matched" && Object.keys(questions.SI.kept).length > 0
      ? [sentence(BY_CODE)]
      : []),
    sentence(
      `Took ${seconds.toFixed(1)} s. No program can tell that a distractor is wrong: look at them before you trust the numbers.`,
    ),
    { kind: "list", items: [[{ kind: "code", text: `probe dataset review ${out} --annotator NAME` }]] },
  ];
}

/** What readers found in SI questions without a writer (`bench/README.md`, `shortcuts`). */
const BY_CODE =
  "SI was built without a writer: in 50 of 80 such questions readers found an option that nobody would write, in 20 another that could be defended. A strong model as --writer makes better ones (3, and 2 or 3 by two readers, of 65).";

/** How much of what the writer wrote is in the questions. */
function writtenBlocks(
  { both, one, none }: NonNullable<CompleteBuild["result"]["written"]>,
  { drops }: CompleteBuild["result"]["questions"]["SI"],
): Block[] {
  const all = both + one + none;
  // Of deletions alone no writer was asked.
  if (all === 0 && !drops.some(({ reason }) => reason === TOO_FEW || reason === IN_DOUBT)) return [];
  if (all > none)
    return [
      sentence(
        `Near misses of the writer: two in ${both} of ${all} SI questions, one in ${one}. Kept is what it answers as keyed: its own score says nothing.`,
      ),
    ];
  return [
    notice(
      "warning",
      "Expected near misses of the writer in SI questions, found none: what it wrote stands in no revision or in no form that can be read, or it took it for right or unlikely itself. Name a stronger model.",
    ),
  ];
}
