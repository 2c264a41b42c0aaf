import { readFile, stat } from "node:fs/promises";
import { dirname, extname, resolve } from "node:path";
import { z } from "zod";
import { badInput, messageOf } from "../../../base/errors.js";
import { shorten } from "../../../base/text.js";
import { type Console, EXIT, type ExitCode, jsonText } from "../../../console/console.js";
import { showBlocks } from "../../../report/terminal.js";
import { readCsv } from "../../../store/read-csv.js";
import type { CaseRow } from "../per-case.js";
import { readCases } from "../read-cases.js";
import type { StatsValues } from "../smell-options.js";
import { type CaseSize, caseSize, sizeRows } from "./case-sizes.js";
import { rowTables, type SmellStats, statsBlocks } from "./case-tables.js";
import { readPrinted } from "./printed-tables.js";

/** Prints tables, recomputed from files. */
export async function handleStats({ files: named, repo, json }: StatsValues, console: Console): Promise<ExitCode> {
  if (named.length === 0) throw badInput("Expected a per_case.csv of a run, or cases, found none. See --help.");
  const { workingDirectory } = console;
  const areCases = await Promise.all(named.map((path) => holdsCases(resolve(workingDirectory, path))));
  const paths = named.filter((_, i) => areCases[i] === false);
  const sizes: CaseSize[] = [];
  for (const path of named.filter((_, i) => areCases[i] === true)) {
    const data = resolve(workingDirectory, path);
    const clones = repo === null ? dirname(data) : resolve(workingDirectory, repo);
    for (const task of await readCases(data, clones))
      sizes.push(...[await caseSize(task)].filter((size) => size !== null));
  }
  const files = await Promise.all(paths.map((path) => readFileAt(path, console.workingDirectory)));
  const isPrinted = ({ name }: (typeof files)[number]) => extname(name) === ".json";
  const rows = files.filter((file) => !isPrinted(file)).flatMap(({ name, text }) => readRows(name, text));
  requireOnce(rows);
  const stats = {
    printed: files.filter(isPrinted).map(({ name, text }) => readPrinted(name, text)),
    trials: rows.length,
    tables: rowTables(rows),
    sizes: sizeRows(sizes),
  };
  if (json) console.out(jsonText(statsDocument(stats)));
  else showBlocks(console, statsBlocks(stats));
  return EXIT.done;
}

/** Tests for cases, as `--data` takes them: a folder, or a list of them. */
async function holdsCases(path: string): Promise<boolean> {
  const info = await stat(path).catch(() => null);
  if (info?.isDirectory() === true || extname(path) === ".jsonl") return true;
  if (info === null || extname(path) !== ".json") return false;
  const start = (await readFile(path, "utf8")).trimStart();
  return start.startsWith("[") || /^\{\s*"instance_id"/.test(start);
}

/** Rows that say which trial they are of stand once. */
function requireOnce(rows: readonly CaseRow[]): void {
  const named = rows.filter(({ run_id, instance_id }) => run_id !== "" && instance_id !== "");
  const keys = named.map((row) =>
    JSON.stringify([row.run_id, row.agent, row.model, row.project, row.setting, row.instance_id, row.trial]),
  );
  if (new Set(keys).size === keys.length) return;
  throw badInput("Expected every trial once, found some twice. Name each per_case.csv once.");
}

async function readFileAt(name: string, workingDirectory: string): Promise<{ name: string; text: string }> {
  try {
    return { name, text: await readFile(resolve(workingDirectory, name), "utf8") };
  } catch (error) {
    throw badInput(`Expected a file that can be read, found ${shorten(name, 300)}: ${messageOf(error)}`, error);
  }
}

const flag = z.enum(["true", "false", "1", "0"]).transform((text) => text === "true" || text === "1");
const maybe = <T extends z.ZodType>(schema: T) => z.union([z.literal("").transform(() => null), schema]).default(null);
const mark = maybe(z.coerce.number<string>().min(0).max(1));
const text = z.string().min(1);

const rowSchema: z.ZodType<CaseRow> = z.object({
  run_id: z.string().default(""),
  agent: z.string().default(""),
  model: text,
  project: z.string().default(""),
  instance_id: z.string().default(""),
  smell: z.string().default(""),
  difficulty: text,
  setting: text,
  trial: z.coerce.number<string>().int().nonnegative().default(0),
  tpr: flag,
  la: maybe(flag),
  la_file: maybe(flag),
  smell_elimination: mark,
  cross_file_coordination: mark,
  structural_soundness: mark,
  code_quality: mark,
});

/**
 * The rows of a `per_case.csv`, or of any part of it that has model, setting, difficulty and tpr.
 * @throws ProbeError `bad_input` that names line and column
 */
export function readRows(name: string, csv: string): CaseRow[] {
  const table = readCsv(name, csv);
  const lacking = ["model", "difficulty", "setting", "tpr"].find((each) => !table.columns.has(each));
  if (lacking !== undefined)
    throw badInput(
      `Expected rows of per_case.csv in ${name}, found no such column in column ${lacking}. Name one that a run wrote.`,
    );
  return table.rows.map(({ line, cells }) => {
    const read = rowSchema.safeParse(cells);
    if (read.success) return read.data;
    const [issue] = read.error.issues;
    const column = String(issue?.path[0] ?? "");
    const found = Object.hasOwn(cells, column) ? `"${shorten(cells[column] ?? "", 80)}"` : "no such column";
    throw badInput(
      `Expected rows of per_case.csv in ${name}, found ${found} in column ${column}, line ${line}. Name one that a run wrote.`,
    );
  });
}

/** Document of `--json`: full precision, shares 0–1. */
function statsDocument({ printed, trials, tables, sizes }: SmellStats): object {
  return {
    table2: sizes,
    printed: printed.map(({ agents, cells, pooled, same, cellMarks }) => ({
      table1: agents.map(({ fit, ...row }) => ({ ...row, ...(fit ?? NO_FIT) })),
      table3: cells.map(({ fit, ...row }) => ({ ...row, ...(fit ?? NO_FIT) })),
      pooled: pooled && { ...pooled, tpr: pooled.passed / pooled.n, la: pooled.located / pooled.n },
      same: same.map(({ agent, llm, marks }) => ({ agent, llm, marks })),
      table3_llm_mean: cellMarks,
    })),
    trials,
    tables: tables.map(({ by, rows }) => ({
      by,
      rows: rows.map(({ label, ...row }) => ({
        ...Object.fromEntries(by.map((name, i) => [name, label[i] ?? ""])),
        ...row,
      })),
    })),
  };
}

const NO_FIT = { n: null, excluded: null, passed: null, located: null };
