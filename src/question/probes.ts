import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { badInput, type ProbeError } from "../base/errors.js";
import { didYouMean, nearNames } from "../base/near-names.js";
import { SYMBOLS } from "../base/symbol.js";
import { shortenLines } from "../base/text.js";
import { DIFFICULTIES } from "../dataset/example.js";
import { MOST_OPTIONS, permutationCount } from "./permutations.js";
import type { ChoiceProbe, ProbeDefinition } from "./question.js";

/** `probes/` beside the compiled `src/`: every module there defines one probe. */
const PROBES_FOLDER = join(import.meta.dirname, "../../probes");

/**
 * All probes that come with the program, by task, in their order; their shape is checked by the compiler.
 * @throws ProbeError `bad_input` when one has too many options, or two define the same task
 */
export async function loadProbes(): Promise<ReadonlyMap<string, ProbeDefinition>> {
  const files = (await readdir(PROBES_FOLDER))
    .filter((file) => /\.[jt]s$/.test(file) && !file.endsWith(".d.ts"))
    .sort();
  const loaded = await Promise.all(
    files.map(async (file) => {
      const module: { readonly probe: ProbeDefinition } = await import(pathToFileURL(join(PROBES_FOLDER, file)).href);
      if (module.probe.kind === "choice") requireOptionCount(`probes/${file}`, module.probe);
      return module.probe;
    }),
  );
  const probes = new Map<string, ProbeDefinition>();
  for (const probe of loaded.sort((a, b) => a.order - b.order)) {
    if (probes.has(probe.task)) {
      throw badInput(`Expected one file in probes/ for the task ${probe.task}, found two. Rename one.`);
    }
    probes.set(probe.task, probe);
  }
  return probes;
}

/** A question after the task that a word may mean, by its name or by its title; empty: none. */
export function taskHint(word: string, probes: Iterable<ProbeDefinition>): string {
  const named = [...probes].flatMap(({ task, title }) => [[title, task] as const, [task, task] as const]);
  const tasks = new Map(named);
  return didYouMean([...new Set(nearNames(word, [...tasks.keys()]).flatMap((name) => tasks.get(name) ?? []))]);
}

/** A function of a probe; what it gives is checked where it is called. */
export function probeFunction<F>() {
  return z.custom<F>((value) => typeof value === "function", { error: "expected a function" });
}

/** Names of every probe. */
export const PROBE_NAMES = {
  task: z.string().regex(/^[A-Z][A-Z0-9_-]*$/, {
    error: "expected a name of capital letters, digits, - and _ that begins with a letter",
  }),
  title: z.string().min(1),
};

export const DIFFICULTY_LIST = z.array(z.enum(DIFFICULTIES, { error: "expected easy or hard" }));

/** @throws ProbeError `bad_input` naming the file, and what of the module is not as expected */
export function parseModule<T>(schema: z.ZodType<T>, file: string, module: unknown): T {
  const parsed = schema.safeParse(module);
  if (parsed.success) return parsed.data;
  throw badProbe(
    file,
    `expected a module that exports \`probe\`, found:\n${shortenLines(describe(parsed.error), 1000)}`,
  );
}

function describe(error: z.ZodError): string {
  return error.issues.map(({ path, message }) => `  ${path.join(".")}: ${message}`).join("\n");
}

/** @throws ProbeError `bad_input` unless a question with so many options can be asked under all its orders */
export function requireOptionCount(
  file: string,
  { task, optionCount }: Pick<ChoiceProbe, "task" | "optionCount">,
): void {
  const expected = `expected ${task} to have 2 to ${MOST_OPTIONS} options (optionCount), found ${optionCount}`;
  if (!Number.isInteger(optionCount) || optionCount < 2)
    throw badProbe(file, `${expected}: a choice is between two at least.`);
  if (optionCount > SYMBOLS.length) throw badProbe(file, `${expected}: there are ${SYMBOLS.length} letters.`);
  if (optionCount > MOST_OPTIONS) {
    throw badProbe(
      file,
      `${expected}: that is ${optionCount}! = ${grouped(permutationCount(optionCount))} orders a question; at most ` +
        `${MOST_OPTIONS}! = ${grouped(permutationCount(MOST_OPTIONS))} are asked.`,
    );
  }
}

function grouped(count: number): string {
  return count.toLocaleString("en-US");
}

export function badProbe(file: string, problem: string, cause?: unknown): ProbeError {
  return badInput(`${file}: ${problem}`, cause);
}
