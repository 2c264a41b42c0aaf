import { symbolsFor } from "../../../base/symbol.js";
import type { Example } from "../../../dataset/example.js";
import type { ExampleShelf } from "../../../dataset/example-shelf.js";
import { modelName } from "../../../model/vendor/model-name.js";
import { formName } from "../../../question/form.js";
import { optionCountOfOrder, permutationsOf } from "../../../question/permutations.js";
import { loadProbes } from "../../../question/probes.js";
import { fillTemplate, loadTemplate, type PromptTemplate, renderPrompt } from "../../../question/prompt.js";
import type { ProbeDefinition } from "../../../question/question.js";
import { buildQuestion } from "../../../question/question-build.js";
import type { JournalIndex } from "../../../store/journal/journal-index.js";
import type { Answer } from "../answer/answer.js";
import { askedFirst } from "../metric/question-score.js";
import { isExact } from "../metric/written/scored-generation.js";
import type { RunFile } from "../record/run-file.js";
import type { ReportRun, WrittenRevision } from "../report/report-run.js";
import { portableId } from "./benchmark.js";

/** A run that is told sample by sample. */
export interface SampleSource {
  readonly report: ReportRun;
  readonly answers: JournalIndex<Answer>;
  /** `null`: the data are not at hand. */
  readonly examples: ExampleShelf | null;
}

type Form = RunFile["forms"][number];

/** Text of a question under an order, and its options as they stand there. */
interface Shown {
  readonly prompt: string;
  readonly options?: readonly string[];
}

/** The samples of a form, those of a question together. */
export async function* samplesOf(source: SampleSource, form: Form): AsyncGenerator<readonly object[]> {
  const asked = await askedProbe(source.report.run, form);
  yield* answerSamples(source, form, asked);
  yield* writtenSamples(source, form, asked);
}

async function* answerSamples(
  source: SampleSource,
  form: Form,
  asked: AskedProbe | null,
): AsyncGenerator<readonly object[]> {
  const { report, answers } = source;
  const scores = report.questions.map(({ score }) => score).filter((score) => formName(score) === formName(form));
  const texts = exampleTexts(source, asked, scores);
  let at = 0;
  for await (const own of answers.byItem()) {
    if (own[0] === undefined || formName(own[0]) !== formName(form)) continue;
    const orders = scores[at++]?.permutations ?? 0;
    const show = shownIn(asked, form, (await texts.next()).value ?? null);
    yield askedFirst(own).map((answer) => answerSample(report.run, answer, show(answer), orders));
  }
  await texts.return(undefined);
}

async function* writtenSamples(
  source: SampleSource,
  { task }: Form,
  asked: AskedProbe | null,
): AsyncGenerator<readonly object[]> {
  const { run, generations } = source.report;
  const written = generations.filter((each) => each.task === task);
  const texts = exampleTexts(source, asked, written);
  for (const revision of written) {
    yield [writtenSample(run, revision, writtenPrompt(asked, (await texts.next()).value ?? null))];
  }
  await texts.return(undefined);
}

/** A probe that comes with the program, and the very template that the run asked it with; else `null`. */
interface AskedProbe {
  readonly probe: ProbeDefinition;
  readonly template: PromptTemplate;
}

async function askedProbe({ prompts }: RunFile, { task }: Form): Promise<AskedProbe | null> {
  const probe = (await loadProbes()).get(task);
  if (probe === undefined) return null;
  const template = await loadTemplate(task, probe.promptSet);
  return prompts.some(({ id, sha256 }) => id === template.id && sha256 === template.sha256)
    ? { probe, template }
    : null;
}

/** The examples that records are about, in their order; none where their texts are not known. */
async function* exampleTexts(
  { examples }: SampleSource,
  asked: AskedProbe | null,
  records: readonly { readonly exampleId: string }[],
): AsyncGenerator<Example, undefined, undefined> {
  if (examples === null || asked === null) return;
  for await (const [, example] of examples.read(records.map(({ exampleId: id }) => ({ id })))) yield example;
}

/** Shows the question about an example under the order of an answer; `null`: its text is not known. */
function shownIn(asked: AskedProbe | null, form: Form, example: Example | null): (answer: Answer) => Shown | null {
  if (asked?.probe.kind !== "choice" || example === null) return () => null;
  const { probe, template } = asked;
  const question = buildQuestion(0, example, { probe, difficulty: form.difficulty, ablation: form.ablation });
  const orders = permutationsOf(probe.optionCount);
  return ({ permutationIndex }) => {
    const order = orders[permutationIndex];
    if (order === undefined) return null;
    return {
      prompt: renderPrompt(template, question, order),
      options: order.map((option) => question.options[option] ?? ""),
    };
  };
}

function writtenPrompt(asked: AskedProbe | null, example: Example | null): Shown | null {
  if (asked?.probe.kind !== "generation" || example === null) return null;
  return { prompt: fillTemplate(asked.template, asked.probe.stem(example)) };
}

/** @param orders under which the question was asked */
function answerSample(run: RunFile, answer: Answer, shown: Shown | null, orders: number): object {
  const { outcome, permutation, correctSymbol, promptTokens, completionTokens, durationMs, promptSha256 } = answer;
  const letter = outcome.status === "chosen" ? outcome.chosenSymbol : null;
  const id = `${portableId(answer.exampleId)} ${permutation}`;
  return {
    ...sampleHead(run, { id, shown, promptSha256, target: correctSymbol, reply: letter }),
    output: {
      ...outputOf(run, letter, logprobsOf(answer)),
      usage: usageOf(promptTokens, completionTokens ?? 0),
      time: durationMs / 1000,
    },
    ...(outcome.status === "failed" ? failed(outcome.failure) : { scores: { letter: scoreOf(answer) } }),
    metadata: {
      question: portableId(answer.exampleId),
      order: permutation,
      orders,
      language: answer.language,
      change_type: answer.changeType,
      letters: symbolsFor(optionCountOfOrder(permutation)),
    },
  };
}

function scoreOf({ outcome, symbolMass }: Answer): object {
  if (outcome.status !== "chosen") {
    return {
      value: "N",
      explanation: outcome.status === "undecided" ? `undecided: ${outcome.reason}` : outcome.status,
    };
  }
  const { correct, chosenSymbol, margin } = outcome;
  return { value: correct ? "C" : "I", answer: chosenSymbol, metadata: { margin, symbol_mass: symbolMass } };
}

/** The letters' log probabilities as those of one token. */
function logprobsOf({ outcome, logprobs }: Answer): object | null {
  const known = logprobs.flatMap(({ symbol, logprob }) => (logprob === null ? [] : [{ token: symbol, logprob }]));
  const chosen = known.find(({ token }) => outcome.status === "chosen" && token === outcome.chosenSymbol);
  return chosen === undefined ? null : { content: [{ ...chosen, top_logprobs: known }] };
}

function writtenSample(run: RunFile, revision: WrittenRevision, shown: Shown | null): object {
  const { exampleId, language, changeType, text, failure, reference, status } = revision;
  const id = portableId(exampleId);
  return {
    ...sampleHead(run, { id, shown, promptSha256: null, target: reference, reply: text }),
    output: outputOf(run, text, null, status === "truncated" ? "max_tokens" : "stop"),
    ...(failure === null
      ? { scores: { written: { value: isExact(revision) ? "C" : "I", answer: text } } }
      : failed(failure)),
    metadata: { question: id, language, change_type: changeType },
  };
}

interface SampleHead {
  readonly id: string;
  readonly shown: Shown | null;
  readonly promptSha256: string | null;
  readonly target: string;
  /** `null`: there is none. */
  readonly reply: string | null;
}

function sampleHead(run: RunFile, { id, shown, promptSha256, target, reply }: SampleHead): object {
  const sha256 = promptSha256 === null ? "" : `, SHA-256 ${promptSha256}`;
  const input = shown?.prompt ?? `(the text of this prompt is not at hand${sha256})`;
  return {
    id,
    epoch: 1,
    input,
    ...(shown?.options && { choices: shown.options }),
    target,
    messages: [{ role: "user", content: input, source: "input" }, ...(reply === null ? [] : [message(run, reply)])],
  };
}

function message(run: RunFile, content: string): object {
  return { role: "assistant", content, source: "generate", model: modelName(run.model) };
}

function outputOf(run: RunFile, reply: string | null, logprobs: object | null, stop = "stop"): object {
  const choices = reply === null ? [] : [{ message: message(run, reply), stop_reason: stop, logprobs }];
  return { model: modelName(run.model), choices };
}

function usageOf(promptTokens: number | null, completionTokens: number): object | null {
  if (promptTokens === null) return null;
  const total = promptTokens + completionTokens;
  return { input_tokens: promptTokens, output_tokens: completionTokens, total_tokens: total };
}

function failed(failure: string): object {
  return { error: { message: failure, traceback: "", traceback_ansi: "" } };
}
