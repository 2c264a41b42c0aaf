import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { cacheFolder } from "../../../../base/cache-folder.js";
import { counted } from "../../../../base/counted.js";
import { ProbeError } from "../../../../base/errors.js";
import { sha256 } from "../../../../base/sha256.js";
import type { Console } from "../../../../console/console.js";
import { type GivenOptions, parseOptions } from "../../../../console/option.js";
import { findSuite, type SuiteEntry, type SuitePart } from "../../../../run/suite-entry.js";
import { writeAtomically } from "../../../../store/atomic-write.js";
import { SUITE_DATA } from "./audit-options.js";

/**
 * The options with `--dataset` in place of `--suite`: a file of the suite's code in the cache, named by its content, a
 * review of nothing a file of code. A resumed audit finds it there again.
 * @throws ProbeError `bad_input` for a suite without code, or options that exclude each other
 */
export async function withSuiteData(
  given: GivenOptions,
  suites: readonly SuiteEntry[],
  console: Console,
): Promise<GivenOptions> {
  const { suite: name, data, part } = parseOptions(SUITE_DATA, given);
  if (name === null) {
    if (data === null && given["part"] === undefined) return given;
    throw new ProbeError("bad_input", "Expected --suite beside --data and --part, found none. Name a suite of agents.");
  }
  if (given["dataset"] !== undefined || given["resume"] !== undefined)
    throw new ProbeError("bad_input", "Expected --suite alone, found it beside --dataset or --resume. Leave one out.");
  const entry = findSuite(suites, name);
  if (entry.part === undefined) {
    const having = suites.flatMap((each) => (each.part === undefined ? [] : [each.name])).join(", ");
    throw new ProbeError(
      "bad_input",
      `Expected a suite of agents for --suite whose code can be audited (${having}), found ${name}.`,
    );
  }
  const { workingDirectory } = console;
  const folder = data === null ? null : resolve(workingDirectory, data);
  const found = await entry.part({ part, data: folder, workingDirectory });
  if (given["quiet"] !== true) console.err(`${canaryText(name, found)}\n`);
  return { ...given, dataset: await fileOf(name, part, found) };
}

async function fileOf(suite: string, part: string, { texts }: SuitePart): Promise<string> {
  const lines = texts.map(({ id, language, text }) => {
    const review = { id, language, pre_review_code: "", code_review: "", post_review_code: text };
    return `${JSON.stringify(review)}\n`;
  });
  const text = lines.join("");
  const folder = join(cacheFolder(process.env), "suite-parts");
  await mkdir(folder, { recursive: true });
  const path = join(folder, `${suite}-${part}-${sha256(text).slice(0, 8)}.jsonl`);
  await writeAtomically(path, (append) => append(text));
  return path;
}

function canaryText(suite: string, { canaries, texts }: SuitePart): string {
  const of = `${counted(texts.length, "texts")} of ${suite}`;
  if (canaries.length === 0) return `${of}; no canary string in them.`;
  return `${of}; canary strings in them, which a model that has seen them may continue: ${canaries.join("; ")}`;
}
