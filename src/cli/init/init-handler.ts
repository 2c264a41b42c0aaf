import { lstat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { badInput, ProbeError, whereMissing } from "../../base/errors.js";
import { shellWord } from "../../base/text.js";
import { loaded } from "../../console/command.js";
import { withSection } from "../../console/config-defaults.js";
import { type Console, EXIT, type ExitCode, jsonText } from "../../console/console.js";
import { flagOf, parseOptions } from "../../console/option.js";
import { gateOf, OUTPUT_OPTIONS, runOptions } from "../../console/run-options.js";
import { CONFIG_FILE, type ConfigValue, readConfig } from "../../model/config.js";
import { heading, sentence } from "../../report/make-block.js";
import { showBlocks } from "../../report/terminal.js";
import type { SuiteEntry, Suites } from "../../run/suite-entry.js";
import { suiteRequest } from "../../run/suite-request.js";
import { onDisk, writeAtomically } from "../../store/atomic-write.js";
import { makeFolder } from "../../store/folder/work-folder.js";
import { namesForms, requireForms } from "../../verdict/gate.js";
import { INIT_ANSWERS, type InitAnswers, type InitValues } from "../command-options.js";
import { ciJob, type PlannedFile, requireJob, wantedTarball } from "./ci-job.js";
import { type ModelPart, modelPart, reviewsPart } from "./config-parts.js";

/** All that `probe init` writes, and the commands that come next. */
interface InitPlan {
  readonly files: readonly PlannedFile[];
  readonly commands: readonly string[];
  /** Package that the CI job installs, and that somebody has to put there; `null`: none. */
  readonly tarball: string | null;
}

/** `probe init`: nothing is written before all of it is known to be right, and free to be written. */
export async function handleInit(suites: Suites, values: InitValues, console: Console): Promise<ExitCode> {
  const { workingDirectory } = console;
  if (!values.force) await requireFree([CONFIG_FILE], workingDirectory);
  const answers = await answersOf(suites, values, console);
  if (answers === null) {
    console.err("Stopped. Nothing was written.\n");
    return EXIT.interrupted;
  }
  await requireBar(suites, answers, console);
  const plan = await initPlan(suites, answers, workingDirectory);
  const paths = plan.files.map(({ path }) => path);
  if (!values.force) await requireFree(paths, workingDirectory);
  for (const path of paths) if (path !== CONFIG_FILE) await requireJob(join(workingDirectory, path));
  for (const { path, text } of plan.files) await writeFile(join(workingDirectory, path), text);
  if (values.json) console.out(jsonText({ files: paths, commands: plan.commands }));
  else showPlan(plan, console);
  return EXIT.done;
}

/** Answers by options, and by the person at the terminal; `null`: that person left. */
async function answersOf(suites: Suites, values: InitValues, console: Console): Promise<InitAnswers | null> {
  const { yes, force: _, json, ...answers } = values;
  const { ask } = console;
  if (ask !== undefined && !yes && !json) return await askAnswers(suites, answers, ask, console);
  const isNamed = Object.values(answers).some((value) => value !== null && value.length > 0);
  if (isNamed || yes) return answers;
  throw badInput(
    "Expected a terminal to ask at, or options that say what you have, found neither. Such as: " +
      "probe init --model path/to/model.gguf --ci github",
  );
}

/** @throws ProbeError `bad_input` for a file that is there, a link to none among them, and one that cannot be */
async function requireFree(paths: readonly string[], workingDirectory: string): Promise<void> {
  for (const path of paths) {
    const found = await onDisk(path, () => lstat(join(workingDirectory, path)).catch(whereMissing(null)));
    if (found === null) continue;
    throw badInput(
      `Expected no ${path} here, found one. To set it anew add --force (aliases and prices in ${CONFIG_FILE} stay).`,
    );
  }
}

async function initPlan(suites: Suites, answers: InitAnswers, workingDirectory: string): Promise<InitPlan> {
  const model = await modelPart(answers, workingDirectory);
  const { dataset, commands } = await reviewsPart(answers.reviews);
  const bar = answers.failUnder;
  const run = {
    model: model.label,
    ...(dataset !== null && { dataset }),
    ...(bar.length > 0 && { "fail-under": bar.length === 1 ? (bar[0] ?? "") : [...bar] }),
  };
  await requireReadable(suites, run, workingDirectory);
  const config = { path: CONFIG_FILE, text: await configText(model, run, workingDirectory) };
  const { ci } = answers;
  const job = ci === null ? [] : [ciJob({ server: ci, model, workingDirectory })];
  const checks = model.alias === null ? [] : [["models", "check", model.label]];
  return {
    files: [config, ...job],
    commands: [...commands.map(line), ...model.trust, ...[...checks, ["run"], ["report", "latest"]].map(line)],
    tarball: ci === null ? null : wantedTarball(workingDirectory),
  };
}

function line(words: readonly string[]): string {
  return ["probe", ...words].map(shellWord).join(" ");
}

/** Reads the section as `probe run` will. */
async function requireReadable(
  suites: Suites,
  run: Readonly<Record<string, ConfigValue>>,
  workingDirectory: string,
): Promise<void> {
  await withSection(runOptions(await loaded(runEntry(suites).options)), {}, workingDirectory, run);
}

function runEntry(suites: Suites): SuiteEntry {
  const entry = suites.find(({ command }) => command?.name === "run");
  if (entry === undefined) throw new Error("Expected a suite whose command is `run`, found none.");
  return entry;
}

/**
 * That the bar names forms of the run, whatever its model and data, which may not be there yet.
 * @throws ProbeError `bad_input` for a name of none
 */
async function requireBar(suites: Suites, { failUnder }: InitAnswers, console: Console): Promise<void> {
  const suite = await runEntry(suites).load();
  const given = { model: "scripted:oracle", failUnder: [...failUnder] };
  const gate = gateOf(parseOptions(OUTPUT_OPTIONS, given));
  if (!namesForms(gate)) return;
  const { forms } = await suite.plan(await suiteRequest(suite, given, null, console, null));
  if (forms !== undefined) requireForms(forms, gate);
}

/** The file with another `run`, and the alias where it needs one; what else it has stays. */
async function configText(
  { label, alias }: ModelPart,
  run: Readonly<Record<string, ConfigValue>>,
  workingDirectory: string,
): Promise<string> {
  const { models: known, probes, ...rest } = await readConfig(workingDirectory);
  const models = alias === null ? known : { ...known, [label]: alias };
  const config = {
    ...(Object.keys(models).length > 0 && { models }),
    ...(probes.length > 0 && { probes }),
    ...rest,
    run,
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}

async function writeFile(path: string, text: string): Promise<void> {
  await makeFolder(dirname(path));
  await writeAtomically(path, (append) => append(text));
}

function showPlan({ files, commands, tarball }: InitPlan, console: Console): void {
  showBlocks(console, [
    sentence(`Written: ${files.map(({ path }) => path).join(", ")}`),
    ...(tarball === null ? [] : [sentence(`The CI job installs ${tarball}, which \`npm pack\` makes: put it there.`)]),
    heading(3, "Next"),
    { kind: "list", items: commands.map((command) => [command]) },
  ]);
}

type AskLine = NonNullable<Console["ask"]>;

/** A question of the dialogue. */
interface Question {
  readonly name: keyof InitAnswers;
  /** Its words; `null`: it does not arise. */
  readonly words: (known: InitAnswers) => string | null;
  /** @throws ProbeError `bad_input` where the answer, with those before it, means nothing */
  readonly check?: (known: InitAnswers, console: Console, suites: Suites) => Promise<unknown>;
}

const checkModel = (known: InitAnswers, { workingDirectory }: Console) => modelPart(known, workingDirectory);

const isServer = ({ baseUrl }: InitAnswers) => baseUrl.length > 0;

const QUESTIONS: readonly Question[] = [
  {
    name: "baseUrl",
    words: ({ model }) => (model === null ? "Address of a server, such as http://127.0.0.1:8000/v1 [none]: " : null),
    check: checkModel,
  },
  {
    name: "model",
    words: (known) =>
      isServer(known) ? "Its model, provider:name [openai:auto]: " : "Model, an alias or a .gguf file [tiny]: ",
    check: checkModel,
  },
  {
    name: "apiKeyEnv",
    words: (known) => (isServer(known) ? "Name of the variable that holds its key [none]: " : null),
    check: checkModel,
  },
  {
    name: "reviews",
    words: () => "Reviews, a file or github:OWNER/REPO [the starter set]: ",
    check: ({ reviews }) => reviewsPart(reviews),
  },
  { name: "ci", words: () => "CI job for github or gitlab [none]: " },
  {
    name: "failUnder",
    words: () => "Lowest score that passes, such as CL=0.5 [none]: ",
    check: (known, console, suites) => requireBar(suites, known, console),
  },
];

/**
 * Answers of a person at the terminal to what no option names; each question comes again until its answer can be read.
 * `null`: the person left.
 */
async function askAnswers(
  suites: Suites,
  given: InitAnswers,
  ask: AskLine,
  console: Console,
): Promise<InitAnswers | null> {
  let known = given;
  for (const question of QUESTIONS) {
    const words = isOpen(known[question.name]) ? question.words(known) : null;
    if (words === null) continue;
    const answered = await answerTo(question, words, known, ask, console, suites);
    if (answered === null) return null;
    known = answered;
  }
  return known;
}

function isOpen(value: InitAnswers[keyof InitAnswers]): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

async function answerTo(
  { name, check }: Question,
  words: string,
  known: InitAnswers,
  ask: AskLine,
  console: Console,
  suites: Suites,
): Promise<InitAnswers | null> {
  for (;;) {
    const line = await ask(words);
    if (line === null) return null;
    const text = line.trim();
    if (text === "") return known;
    try {
      const answered = { ...known, [name]: INIT_ANSWERS[name].parse(text, flagOf(name)) };
      await check?.(answered, console, suites);
      return answered;
    } catch (error) {
      if (!(error instanceof ProbeError)) throw error;
      console.err(`${error.message}\n`);
    }
  }
}
