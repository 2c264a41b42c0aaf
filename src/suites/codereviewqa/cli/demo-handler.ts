import { readFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { badInput, whereMissing } from "../../../base/errors.js";
import { hash32 } from "../../../base/random.js";
import { type OptionIndex, symbolsFor, USUAL_OPTIONS } from "../../../base/symbol.js";
import { shellWord } from "../../../base/text.js";
import { type Console, EXIT, type ExitCode, jsonText } from "../../../console/console.js";
import { datasetFile, readDataset } from "../../../dataset/dataset-file.js";
import { type Order, orderName, permutationsOf } from "../../../question/permutations.js";
import type { Block } from "../../../report/block.js";
import { plainWords, STATE_WORDS, worthOf } from "../../../report/judgement-words.js";
import { heading, notice, numberCell, rightColumn, sentence, tableOf, textColumn } from "../../../report/make-block.js";
import { showBlocks } from "../../../report/terminal.js";
import { nextBlocks } from "../../../run/run-blocks.js";
import type { ScoredRun } from "../../../run/score-folder.js";
import { openBrowser } from "../../../serve/serve-until-interrupted.js";
import { onDisk, writeAtomically } from "../../../store/atomic-write.js";
import { makeFolder, tryFolder } from "../../../store/folder/work-folder.js";
import type { Judgement } from "../../../verdict/judgement.js";
import { makeReport } from "../report/make-report.js";
import { newSession, runProbes } from "../suite/review-library.js";

interface DemoValues {
  readonly out: string | null;
  readonly noOpen: boolean;
  readonly json: boolean;
}

/** A made-up model, and what its answers came to. */
interface Shown {
  readonly name: string;
  readonly manner: string;
  readonly folder: string;
  readonly judgement: Judgement;
}

const USUAL_FOLDER = "probe-demo";
const PAGE = "report.html";

/** `probe demo`: runs of made-up models over the starter set, their page, and each verdict explained. */
export async function handleDemo({ out, noOpen, json }: DemoValues, console: Console): Promise<ExitCode> {
  const folder = out ?? USUAL_FOLDER;
  const shown = await runMadeUpModels(folder, console.workingDirectory);
  const page = join(folder, PAGE);
  const { html } = await makeReport({ runs: shown.map((each) => each.folder), audits: [], datasets: [] });
  await writeAtomically(page, (append) => append(html));
  if (json) {
    const models = shown.map(({ name, folder: run, judgement }) => ({
      model: name,
      folder: run,
      state: judgement.state,
    }));
    console.out(jsonText({ report: page, models }));
    return EXIT.done;
  }
  showBlocks(console, demoBlocks(shown, page));
  if (!noOpen && console.isTerminal) openBrowser(pathToFileURL(resolve(page)).href);
  return EXIT.done;
}

async function runMadeUpModels(folder: string, workingDirectory: string): Promise<Shown[]> {
  const ids: string[] = [];
  for await (const line of readDataset(datasetFile("starter"))) if (line.status === "valid") ids.push(line.example.id);
  const made = MADE_UP_MODELS.map((model) => ({
    model,
    answers: join(folder, `${model.name}.jsonl`),
    text: madeUpAnswers(model, ids),
  }));
  await tryFolder(folder);
  await requireOwn(made, join(folder, PAGE));
  await makeFolder(folder);
  const shown: Shown[] = [];
  for (const { model, answers, text } of made) {
    await writeAtomically(answers, (append) => append(text));
    const session = await newSession({
      model: `scripted:${relative(workingDirectory, resolve(answers))}`,
      tasks: ["CL"],
      difficulties: ["hard"],
      ablate: ["review"],
      folder: join(folder, model.name),
      workingDirectory,
    });
    const outcome = await runProbes(session);
    if (outcome.status !== "complete") throw badInput(`Expected a whole run, found ${outcome.status}.`);
    const { name, manner } = model;
    shown.push({ name, manner, folder: outcome.scored.folder, judgement: judgementOf(outcome.scored) });
  }
  return shown;
}

/**
 * That nothing of somebody else's is written over: answers that are there are these, and a page is there beside such.
 * @throws ProbeError `bad_input` naming the file that is not a demo's
 */
async function requireOwn(made: readonly { readonly answers: string; readonly text: string }[], page: string) {
  const find = (path: string) => onDisk(path, () => readFile(path, "utf8").catch(whereMissing(null)));
  const found = await Promise.all(made.map(async (each) => ({ ...each, known: await find(each.answers) })));
  const isDemo = found.some(({ text, known }) => known === text);
  const stranger = found.find(({ text, known }) => known !== null && known !== text)?.answers;
  const taken = stranger ?? (!isDemo && (await find(page)) !== null ? page : null);
  if (taken === null) return;
  throw badInput(
    `Expected no ${taken}, or one of an earlier \`probe demo\`, found another file. Name another folder with --out.`,
  );
}

function judgementOf({ score }: ScoredRun): Judgement {
  const judgement = score.verdicts.forms.find((form) => form.judgement !== null)?.judgement ?? null;
  if (judgement === null) throw new Error("Expected a judgement of the form that was asked, found none.");
  return judgement;
}

function demoBlocks(shown: readonly Shown[], page: string): Block[] {
  return [
    sentence(
      "Four made-up models were asked which lines a review wants changed: 108 questions, each under all 24 orders of its " +
        "four options, and once more without the review. Nobody asked a real model; their scores and verdicts are " +
        "computed as for any other.",
    ),
    tableOf(
      null,
      [
        textColumn<Shown>("model", "model", ({ name }) => name),
        rightColumn<Shown>("score", "score", ({ judgement }) =>
          numberCell(judgement.score, "fraction", worthOf(judgement)),
        ),
        rightColumn<Shown>("mean", "mean", ({ judgement }) => numberCell(judgement.meanAccuracy, "fraction")),
        textColumn<Shown>("verdict", "verdict", ({ judgement }) => STATE_WORDS[judgement.state].text),
      ],
      shown,
    ),
    sentence("score: right under every order of the options · mean: of single answers"),
    ...shown.flatMap(({ name, manner, judgement }) => [
      heading(3, name),
      sentence(`It ${manner}.`),
      notice(
        STATE_WORDS[judgement.state].tone,
        `${STATE_WORDS[judgement.state].text}: ${plainWords("choice", judgement)}`,
      ),
    ]),
    ...nextBlocks(
      [
        `${page}: the page, with every question`,
        "probe run --model tiny --task CL --difficulty hard: the same, asked of the bundled model",
        "probe run --model path/to/model.gguf --task CL --difficulty hard: asked of a model of yours",
        `probe compare ${shellWord(shown.at(-2)?.folder ?? "")} ${shellWord(shown.at(-1)?.folder ?? "")}: two of these, tested`,
      ],
      process.env,
    ),
  ];
}

/** A question under one order of its options, as a made-up model is asked it. */
interface MadeUpQuestion {
  readonly exampleId: string;
  readonly order: Order;
  /** True where the review is withheld. */
  readonly isWithheld: boolean;
}

/** A model that nobody asked: the option that it chooses follows from a hash of the question. */
interface MadeUpModel {
  readonly name: string;
  /** Its manner, in a newcomer's words. */
  readonly manner: string;
  choose(question: MadeUpQuestion): OptionIndex | undefined;
}

/** Shares of questions that a made-up model knows: far from the bounds of every verdict. */
const KNOWN = { words: 0.7, steady: 0.85, unsteady: 0.75 };

/** Made-up models, each of another kind; which verdict their answers come to is computed like that of any other. */
export const MADE_UP_MODELS: readonly MadeUpModel[] = [
  {
    name: "made-up-letters",
    manner: "says A, whatever stands there",
    choose: ({ order }) => order[0],
  },
  {
    name: "made-up-words",
    manner: "finds most places from the code alone, and the same ones when the review is not shown",
    choose: ({ exampleId }) => knownOption(`${exampleId} words`, KNOWN.words),
  },
  {
    name: "made-up-nerves",
    manner: "understands, and is wrong under some orders of the same options",
    choose: ({ exampleId, order, isWithheld }) =>
      knownOption(`${exampleId} nerves ${orderName(order)}`, isWithheld ? 0 : KNOWN.unsteady),
  },
  {
    name: "made-up-reader",
    manner: "understands most reviews, however the options are shuffled, and guesses without them",
    choose: ({ exampleId, isWithheld }) => knownOption(`${exampleId} reader`, isWithheld ? 0 : KNOWN.steady),
  },
];

/** The right option for a share of the texts, else one of all. */
function knownOption(text: string, share: number): OptionIndex {
  const isKnown = hash32(text, 1) / 2 ** 32 < share;
  return (isKnown ? 0 : hash32(text, 2) % USUAL_OPTIONS) as OptionIndex;
}

/** Log probabilities of the letter that is chosen, and of each other one: 0.91 and 0.03. */
const LOGPROBS = { chosen: Math.log(0.91), other: Math.log(0.03) };

/** Lines of an answer file (`--model scripted:FILE`) about hard location questions, with and without the review. */
export function madeUpAnswers(model: MadeUpModel, exampleIds: readonly string[]): string {
  const symbols = symbolsFor(USUAL_OPTIONS);
  const lines = exampleIds.flatMap((exampleId) =>
    permutationsOf(USUAL_OPTIONS).flatMap((order) =>
      [false, true].map((isWithheld) => {
        const chosen = model.choose({ exampleId, order, isWithheld });
        const logprobs = symbols.map((symbol, i) => [symbol, order[i] === chosen ? LOGPROBS.chosen : LOGPROBS.other]);
        return JSON.stringify({
          task: "CL",
          difficulty: "hard",
          ...(isWithheld && { ablation: "review" }),
          example_id: exampleId,
          permutation: orderName(order),
          logprobs: Object.fromEntries(logprobs),
        });
      }),
    ),
  );
  return `${lines.join("\n")}\n`;
}
