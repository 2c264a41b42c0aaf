import { createHash } from "node:crypto";
import { join, resolve } from "node:path";
import { badInput } from "../../../base/errors.js";
import { cacheFolder } from "../../../base/folders.js";
import { counted } from "../../../base/text.js";
import type { Console } from "../../../console/console.js";
import { type GivenOptions, parseOptions } from "../../../console/option.js";
import { findSuite, type SuiteEntry, type SuitePart } from "../../../run/suite-entry.js";
import { writeAtomically } from "../../../store/atomic-write.js";
import { makeFolder } from "../../../store/folder/work-folder.js";
import { suitePartName } from "../audit/known-audits.js";
import { SUITE_DATA } from "./audit-options.js";

/** Subject of an audit, with the facts about a suite's data. */
interface AuditedData {
  readonly given: GivenOptions;
  /** For the document of `--json`; `null`: it is no suite. */
  readonly suite: object | null;
}

/**
 * The options with `--dataset` in place of `--suite`: a file of the suite's code in the cache, named by data and content, a
 * review of nothing a file of code. A resumed audit finds it there again.
 * @throws ProbeError `bad_input` for a suite without code, or options that exclude each other
 */
export async function withSuiteData(
  given: GivenOptions,
  suites: readonly SuiteEntry[],
  console: Console,
): Promise<AuditedData> {
  const { suite: name, data, repo, part } = parseOptions(SUITE_DATA, given);
  if (name === null) {
    if (data === null && repo === null && given["part"] === undefined) return { given, suite: null };
    throw badInput("Expected --suite beside --data, --repo and --part, found none. Name a suite of agents.");
  }
  if (given["dataset"] !== undefined || given["resume"] !== undefined)
    throw badInput("Expected --suite alone, found it beside --dataset or --resume. Leave one out.");
  const entry = findSuite(suites, name);
  if (entry.part === undefined) {
    const having = suites.flatMap((each) => (each.part === undefined ? [] : [each.name])).join(", ");
    throw badInput(`Expected a suite of agents for --suite whose code can be audited (${having}), found ${name}.`);
  }
  const { workingDirectory } = console;
  const at = (path: string | null) => (path === null ? null : resolve(workingDirectory, path));
  const found = await entry.part({ part, data: at(data), repo: at(repo), workingDirectory });
  if (given["quiet"] !== true) console.err(`${textOf(name, part, found)}\n`);
  const { canaries, searched, leftOut, texts } = found;
  return {
    given: { ...given, dataset: await fileOf(name, part, found) },
    suite: {
      name,
      part,
      texts: texts.length,
      files_searched: searched,
      canaries,
      left_out: leftOut.map(({ taskId, why }) => ({ task_id: taskId, why })),
    },
  };
}

async function fileOf(suite: string, part: string, { texts, sha256: data }: SuitePart): Promise<string> {
  const lines = texts.map(({ id, language, text }) => {
    const review = { id, language, pre_review_code: "", code_review: "", post_review_code: text };
    return `${JSON.stringify(review)}\n`;
  });
  const hash = createHash("sha256");
  for (const line of lines) hash.update(line);
  const folder = join(cacheFolder(process.env), "suite-parts");
  await makeFolder(folder);
  const path = join(folder, `${suitePartName(suite, part, data, hash.digest("hex"))}.jsonl`);
  await writeAtomically(path, async (append) => {
    for (const line of lines) await append(line);
  });
  return path;
}

const MOST_SHOWN = 5;

function textOf(suite: string, part: string, { canaries, texts, leftOut, searched }: SuitePart): string {
  const without = leftOut.map(({ taskId, why }) => (why.startsWith(taskId) ? why : `${taskId} (${why})`));
  const data = counted(searched, "files");
  return [
    `${counted(texts.length, "texts")} of ${suite}, ${part}.`,
    ...(without.length === 0 ? [] : [`Without ${part}, ${counted(without.length, "tasks")}: ${firstOf(without)}.`]),
    ...(canaries.length === 0 ? [`No canary string in the ${data} of its data.`] : []),
    ...canaries.map(({ text, files }) => {
      const places = files.map(({ path, count }) => `${path} (${count})`);
      return `Canary string, which a model that has seen the data may continue: ${text}, in ${files.length} of ${data}: ${firstOf(places)}`;
    }),
  ].join("\n");
}

function firstOf(texts: readonly string[]): string {
  return `${texts.slice(0, MOST_SHOWN).join(", ")}${texts.length > MOST_SHOWN ? ", …" : ""}`;
}
