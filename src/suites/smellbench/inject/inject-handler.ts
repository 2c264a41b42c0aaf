import { mkdir, readdir, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { badInput } from "../../../base/errors.js";
import { seededIntegers } from "../../../base/random.js";
import { counted } from "../../../base/text.js";
import { type Console, EXIT, type ExitCode } from "../../../console/console.js";
import { makeFolder } from "../../../store/folder/work-folder.js";
import { openRoom } from "../../../trial/bench-room.js";
import type { Bench } from "../../../trial/bench-task.js";
import { checkTask } from "../../../trial/check/check-task.js";
import { requireSandbox } from "../../../trial/named-code.js";
import { openCage } from "../../../workspace/cage.js";
import { copyTree, writeSealed } from "../../../workspace/sealed-files.js";
import { readTexts, removeTree, textsIn } from "../../../workspace/tree-files.js";
import { Workspace } from "../../../workspace/workspace.js";
import { readCases } from "../read-cases.js";
import { smellbenchAdapter } from "../smell-adapter.js";
import { SMELLS } from "../smell-case.js";
import type { InjectValues } from "../smell-options.js";
import { parsedCode } from "./code-file.js";
import { drawSmell, type Injection } from "./draw-smell.js";

/** Candidates that are tried for a case, as tests may tell a copy from nothing, such as by coverage or lint. */
const MOST_TRIED = 3;

/** Puts smells into a clean repository, each a case of its own, and keeps those whose tests hold with and without. */
export async function handleInject(values: InjectValues, console: Console): Promise<ExitCode> {
  const repo = resolve(console.workingDirectory, values.repo);
  const out = resolve(console.workingDirectory, values.out);
  if (values.tests.length === 0)
    throw badInput("Expected --tests with files or folders of tests, found none. Name them.");
  await requireEmpty(out);
  const cage = await openCage({ sandbox: values.sandbox, image: values.image, hidden: [] });
  requireSandbox([`--repo ${values.repo}`], cage);
  const project = basename(repo).replace(/[^A-Za-z0-9_.-]/g, "-") || "repository";
  const tree = join(out, "trees", project);
  await makeFolder(tree);
  await copyTree(repo, tree, (path) => ![".git", "node_modules"].includes(basename(path)));
  const room = await openRoom(`inject ${process.pid} ${out}`);
  const code = await parsedCode(await textsIn(tree), values.tests);
  const draw = seededIntegers(values.seed);
  const say = (text: string) => {
    if (!values.quiet) console.err(`${text}\n`);
  };
  const taken = new Set<string>();
  let made = 0;
  try {
    for (let i = 0; i < values.count * MOST_TRIED && made < values.count; i++) {
      const smell = await drawSmell(values.smell, values.difficulty, code, taken, draw);
      if (smell === null) {
        say(`no other place for it was found: ${SMELLS[values.smell]}, ${values.difficulty}`);
        break;
      }
      for (const key of smell.keys) taken.add(key);
      const bench = room.open(cage, new AbortController().signal);
      const name = `${project}-${SMELLS[values.smell].replaceAll(" ", "-")}-${values.difficulty}-${made + 1}`;
      const why = await makeCase({ out, tree, project, name, smell, values }, bench).finally(() => bench.close());
      const place = smell.place.filter((part) => part !== null).join(", ");
      say(why === null ? `${name}: ${place}` : `left out ${place}: ${why}`);
      if (why === null) made++;
    }
  } finally {
    await room.close();
  }
  console.out(`${counted(made, "cases")} of ${values.count} in ${values.out}\n`);
  return made === values.count ? EXIT.done : EXIT.failedAnswers;
}

async function requireEmpty(out: string): Promise<void> {
  const entries = await readdir(out).catch(() => []);
  if (entries.length === 0) return;
  throw badInput(`Expected a new or empty folder for --out, found files in ${out}. Name another.`);
}

interface CaseMaking {
  readonly out: string;
  /** The clean tree. */
  readonly tree: string;
  readonly project: string;
  readonly name: string;
  readonly smell: Injection;
  readonly values: InjectValues;
}

/** Writes a case and checks it as the suite does: clean, smelly, its place, the right solution. @returns why it is none; `null`: it is one */
async function makeCase({ out, tree, project, name, smell, values }: CaseMaking, bench: Bench): Promise<string | null> {
  const folder = join(out, name);
  const clean = { kind: "folder", path: tree } as const;
  const smelly = await Workspace.create(join(await bench.folder(), "work"), clean);
  for (const { path, text } of smell.files) await writeSealed({ root: smelly.tree, path }, text);
  const put = await smelly.patch();
  if (put.status !== "made") return put.detail;
  const mended = await Workspace.create(join(await bench.folder(), "work"), { ...clean, patch: put.bytes });
  const paths = smell.files.map(({ path }) => path);
  for (const { path, text } of await readTexts(tree, paths)) await writeSealed({ root: mended.tree, path }, text);
  const gold = await mended.patch();
  if (gold.status !== "made") return gold.detail;
  await mkdir(folder);
  await writeFile(join(folder, "smell.patch"), put.bytes);
  await writeFile(join(folder, "gold.patch"), gold.bytes);
  await writeFile(join(folder, "case.json"), `${JSON.stringify(caseOf(name, project, smell, values), null, 2)}\n`);
  const task = (await readCases(out, null)).find(({ id }) => id === name);
  if (task === undefined) throw new Error(`Expected the case ${name} in ${out}.`);
  const runtime = await smellbenchAdapter.runtime({});
  const { valid, reason } = await checkTask(smellbenchAdapter, task, runtime, bench);
  if (valid === true) return null;
  await removeTree(folder);
  if (reason?.startsWith("clean:") === true)
    throw badInput(`Expected tests that pass on ${values.repo} as it is, found ${reason}`);
  return reason ?? "it could not be checked";
}

function caseOf(name: string, project: string, smell: Injection, values: InjectValues): object {
  return {
    instance_id: name,
    type: values.smell,
    difficulty: values.difficulty,
    project_name: project,
    smell_function: smell.place,
    hint_guided: smell.guided,
    hint_targeted: smell.targeted,
    testsuites: values.tests,
    settings: { command: values.testCmd.split(/\s+/).filter((word) => word !== "") },
  };
}
