import { extname } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { badInput, messageOf } from "../../base/errors.js";
import { shorten } from "../../base/text.js";
import { readText } from "../../store/text-lines.js";
import { requireFile } from "../json-lines.js";
import { showValue } from "../problem.js";
import { TRIPLE_FIELDS, type TripleLine, tripleLineOf } from "../triple.js";
import type { ReviewTable } from "./review-table.js";

/** The largest file that is read: results have every prompt and reply. */
const MOST_BYTES = 64 * 1024 * 1024;

const tests = z.array(z.object({ vars: z.record(z.string(), z.unknown()).optional() }));

/** A file of promptfoo's with tests in it: tests alone, a configuration, or results (`eval -o`). */
const promptfooFile = z.union([
  tests,
  z.object({ tests }).transform((config) => config.tests),
  z.object({ results: z.object({ results: tests }) }).transform(({ results }) => results.results),
]);

const FIELDS: readonly string[] = [...TRIPLE_FIELDS.raw, ...TRIPLE_FIELDS.optional];

/**
 * Opens tests of promptfoo whose variables are the fields of a raw triple, as a table; each once, however many models were
 * asked. Assertions and other variables are left out. Nothing is filled in, and no other file is read.
 * @throws ProbeError `bad_input` for a file without tests
 */
export async function openPromptfooTests(path: string): Promise<ReviewTable> {
  await requireFile(path, "a file of promptfoo's");
  const found = promptfooFile.safeParse(await readValue(path));
  if (!found.success) {
    throw badInput(
      `Expected tests of promptfoo in ${path} (a list, \`tests:\` with a list, or the results of eval -o), found none. Name ` +
        `the file that they are in; each has the vars ${TRIPLE_FIELDS.raw.join(", ")}.`,
    );
  }
  const all = found.data.map(({ vars = {} }) => vars);
  const names = new Set(all.flatMap((vars) => Object.keys(vars)));
  return { unused: [...names].filter((name) => !FIELDS.includes(name)), lines: linesOf(path, all) };
}

async function readValue(path: string): Promise<unknown> {
  const text = await readText(path, MOST_BYTES);
  try {
    return extname(path).toLowerCase() === ".json" ? JSON.parse(text) : parse(text);
  } catch (cause) {
    const found = shorten(messageOf(cause).split("\n")[0] ?? "", 200);
    throw badInput(`Expected JSON or YAML in ${path}, found: ${found}`, cause);
  }
}

async function* linesOf(path: string, all: readonly Readonly<Record<string, unknown>>[]): AsyncGenerator<TripleLine> {
  // Where there are no lines, the number is the test's.
  const file = `${path}, test`;
  const known = new Set<string>();
  for (const [i, vars] of all.entries()) {
    const value: Readonly<Record<string, unknown>> = { ...NO_REVIEW, ...givenOf(vars) };
    const text = JSON.stringify(value);
    if (known.has(text)) continue;
    known.add(text);
    const elsewhere = Object.entries(value).find(([, each]) => typeof each === "string" && each.startsWith("file://"));
    if (elsewhere === undefined) yield tripleLineOf(file, i + 1, text, value);
    else {
      const [field, found] = elsewhere;
      const problem = { file, line: i + 1, field, expected: "the text itself", found: showValue(found) };
      yield { status: "invalid", line: i + 1, problems: [problem] };
    }
  }
}

/** Fields of a test that lacks them: it is told as a raw triple without them, not as a record. */
const NO_REVIEW = { pre_review_code: undefined };

function givenOf(vars: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const names = FIELDS.filter((name) => vars[name] !== undefined && vars[name] !== "");
  return Object.fromEntries(names.map((name) => [name, vars[name]]));
}
