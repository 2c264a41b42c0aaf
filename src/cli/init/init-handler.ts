import { lstatSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ProbeError } from "../../base/errors.js";
import { shellWord } from "../../base/text.js";
import { loaded } from "../../console/command.js";
import { withSection } from "../../console/config-defaults.js";
import type { Console } from "../../console/console.js";
import { EXIT, type ExitCode } from "../../console/console.js";
import { jsonText } from "../../console/json-output.js";
import { runOptions } from "../../console/run-options.js";
import { CONFIG_FILE, type ConfigValue, readConfig } from "../../model/config.js";
import { heading, sentence } from "../../report/make-block.js";
import { showBlocks } from "../../report/terminal.js";
import type { SuiteEntry } from "../../run/suite-entry.js";
import { writeAtomically } from "../../store/atomic-write.js";
import { askAnswers } from "./ask-answers.js";
import { ciJob, type PlannedFile, wantedTarball } from "./ci-job.js";
import type { InitAnswers, InitValues } from "./init-options.js";
import { type ModelPart, modelPart } from "./model-part.js";
import { reviewsPart } from "./reviews-part.js";

/** All that `probe init` writes, and the commands that come next. */
interface InitPlan {
  readonly files: readonly PlannedFile[];
  readonly commands: readonly string[];
  /** Package that the CI job installs, and that somebody has to put there; `null`: none. */
  readonly tarball: string | null;
}

/** `probe init`: nothing is written before all of it is known to be right, and free to be written. */
export async function handleInit(
  suites: readonly SuiteEntry[],
  values: InitValues,
  console: Console,
): Promise<ExitCode> {
  const { workingDirectory } = console;
  if (!values.force) requireFree([CONFIG_FILE], workingDirectory);
  const answers = await answersOf(values, console);
  if (answers === null) {
    console.err("Stopped. Nothing was written.\n");
    return EXIT.interrupted;
  }
  const plan = await initPlan(suites, answers, workingDirectory);
  const paths = plan.files.map(({ path }) => path);
  if (!values.force) requireFree(paths, workingDirectory);
  for (const { path, text } of plan.files) await writeFile(join(workingDirectory, path), text);
  if (values.json) console.out(jsonText({ files: paths, commands: plan.commands }));
  else showPlan(plan, console);
  return EXIT.done;
}

/** Answers by options, and by the person at the terminal; `null`: that person left. */
async function answersOf(values: InitValues, console: Console): Promise<InitAnswers | null> {
  const { yes, force: _, json, ...answers } = values;
  const { ask } = console;
  if (ask !== undefined && !yes && !json) return await askAnswers(answers, ask, console);
  const isNamed = Object.values(answers).some((value) => value !== null && value.length > 0);
  if (isNamed || yes) return answers;
  throw new ProbeError(
    "bad_input",
    "Expected a terminal to ask at, or options that say what you have, found neither. Such as: " +
      "probe init --model path/to/model.gguf --ci github",
  );
}

/** @throws ProbeError `bad_input` for a file that is there, a link to none among them */
function requireFree(paths: readonly string[], workingDirectory: string): void {
  const taken = paths.find((path) => lstatSync(join(workingDirectory, path), { throwIfNoEntry: false }) !== undefined);
  if (taken === undefined) return;
  throw new ProbeError(
    "bad_input",
    `Expected no ${taken} here, found one. To set it anew add --force (aliases and prices in ${CONFIG_FILE} stay).`,
  );
}

async function initPlan(
  suites: readonly SuiteEntry[],
  answers: InitAnswers,
  workingDirectory: string,
): Promise<InitPlan> {
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
  const { ci, apiKeyEnv } = answers;
  const job = ci === null ? [] : [ciJob({ server: ci, model, apiKeyEnv, workingDirectory })];
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
  suites: readonly SuiteEntry[],
  run: Readonly<Record<string, ConfigValue>>,
  workingDirectory: string,
): Promise<void> {
  const entry = suites.find(({ command }) => command?.name === "run");
  if (entry === undefined) throw new Error("Expected a suite whose command is `run`, found none.");
  await withSection(runOptions(await loaded(entry.options)), {}, workingDirectory, run);
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
  await mkdir(dirname(path), { recursive: true });
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
