import { join } from "node:path";
import { z } from "zod";
import { badInput, isSystemError, messageOf, ProbeError } from "../base/errors.js";
import { readText } from "../store/text-lines.js";

/** An alias as its file has it. */
export const aliasSchema = z.strictObject({
  /** `provider:name`. */
  model: z.string().regex(/^[a-z]+:.+$/s, { error: "expected provider:name" }),
  description: z.string().optional(),
  /** Given to the provider. */
  settings: z.record(z.string(), z.unknown()).default({}),
});

const amount = z.number().nonnegative();

/** Prices per million tokens, by alias or `provider:name`. */
export const pricesSchema = z.strictObject({
  as_of: z.iso.date(),
  currency: z.string().min(1),
  source: z.string().optional(),
  models: z.record(z.string(), z.strictObject({ input: amount, output: amount })),
});

const word = z.union([z.string().min(1), z.number()]);
const defaultSchema = z.union([word, z.boolean(), z.array(word)], {
  error: "expected a value, true, or a list of values",
});

/** The value of an option as the file has it. */
export type ConfigValue = z.infer<typeof defaultSchema>;

const texts = z.array(z.string().min(1)).min(1);

const matrixSchema = z.strictObject({
  models: texts,
  /** Each entry is one run: `CL`, or several tasks as `--task` takes them, `CTR,CL,SI`. */
  tasks: texts.optional(),
  datasets: texts.optional(),
  /** Names as in `probe suite list`; absent: the suite of questions, which has tasks and datasets. */
  suites: texts.optional(),
});

const configSchema = z.strictObject({
  models: z.record(z.string(), aliasSchema).default({}),
  prices: pricesSchema.optional(),
  /** Files with probes of one's own, relative to the working directory. */
  probes: z.array(z.string().min(1)).default([]),
  /** Options of `probe run` where the command line leaves them out, by their names. */
  run: z.record(z.string(), defaultSchema).default({}),
  /** Models, tasks and datasets of `probe run --matrix`. */
  matrix: matrixSchema.optional(),
});

/** Parts of a matrix: each model on each dataset is asked each entry of tasks. */
export type Matrix = z.infer<typeof matrixSchema>;

type Config = z.infer<typeof configSchema>;

/** The name of the file in the working directory that adds aliases and prices to the shipped ones. */
export const CONFIG_FILE = "probe.config.json";

/**
 * Reads `probe.config.json`; without one, nothing is added.
 * @throws ProbeError `bad_input` when it is not as expected
 */
export async function readConfig(workingDirectory: string): Promise<Config> {
  let text: string;
  try {
    text = await readText(join(workingDirectory, CONFIG_FILE));
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return { models: {}, probes: [], run: {} };
    if (error instanceof ProbeError) throw error;
    throw badInput(`Expected to read ${CONFIG_FILE}, found: ${messageOf(error)}`, error);
  }
  try {
    return configSchema.parse(JSON.parse(text));
  } catch (error) {
    // The parser's message quotes the file, where it may hold a key.
    const found = error instanceof z.ZodError ? z.prettifyError(error) : "no JSON";
    const expected = '{"models": {"name": {"model": "provider:name", "settings": {}}}}';
    throw badInput(`Expected ${CONFIG_FILE} to hold ${expected}, found:\n${found}`, error);
  }
}
