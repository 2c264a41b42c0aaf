import { realpath } from "node:fs/promises";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { badInput, ProbeError } from "../base/errors.js";
import { nearHint } from "../base/near-names.js";
import { shellWord, shorten, visibleLine } from "../base/text.js";
import { CONFIG_FILE, type ConfigValue, readConfig } from "../model/config.js";
import { flagOf, type Given, type GivenOptions, type Option, type OptionTable } from "./option.js";

/** The options of a command: those that were given, over those that `run` in `probe.config.json` has. */
export interface DefaultedOptions {
  readonly given: GivenOptions;
  /** The file that names the model; `null`: the command line does, or nothing. */
  readonly modelHolder: string | null;
  /** Arguments that came from the file, as they would be typed; `null`: none. */
  readonly message: string | null;
}

/** Options by their names, as a file has them. */
export type ConfigSection = Readonly<Record<string, ConfigValue>>;

/** An option as the file has it. */
interface Default {
  readonly name: string;
  readonly value: Given;
}

/**
 * Adds what `run` in `probe.config.json` says where the command line says nothing. A run that is gone on with has its own
 * values: of the file it takes what no record keeps.
 * @param more what the file says besides, over its `run`, such as one cell of its matrix
 * @throws ProbeError `bad_input` for what is no option, may not stand in a file, or has no such value
 */
export async function withConfigDefaults(
  table: OptionTable,
  given: GivenOptions,
  workingDirectory: string,
  more: ConfigSection = {},
): Promise<DefaultedOptions> {
  const { run } = await readConfig(workingDirectory);
  return withSection(table, given, workingDirectory, { ...run, ...more });
}

/**
 * Adds the defaults of one section of the file.
 * @throws ProbeError `bad_input` as above
 */
export async function withSection(
  table: OptionTable,
  given: GivenOptions,
  workingDirectory: string,
  section: ConfigSection,
): Promise<DefaultedOptions> {
  const defaults: Default[] = [];
  for (const [key, value] of Object.entries(section))
    defaults.push(await readDefault(table, key, value, workingDirectory));
  const isResumed = given["resume"] !== undefined;
  const taken = defaults.filter(
    ({ name, value }) => given[name] === undefined && value !== false && !(isResumed && isKept(table[name])),
  );
  return {
    given: { ...given, ...Object.fromEntries(taken.map(({ name, value }) => [name, value])) },
    modelHolder: taken.some(({ name }) => name === "model") ? CONFIG_FILE : null,
    message: taken.length === 0 ? null : `From ${CONFIG_FILE}: ${taken.map(typed).join(" ")}`,
  };
}

/** True if a record has the option's value. */
function isKept(option: Option<unknown> | undefined): boolean {
  return option?.parameter !== undefined || option?.replay !== undefined;
}

async function readDefault(
  table: OptionTable,
  key: string,
  value: ConfigValue,
  workingDirectory: string,
): Promise<Default> {
  const name = Object.keys(table).find((candidate) => flagOf(candidate) === flagOf(key));
  const option = name === undefined ? undefined : table[name];
  if (name === undefined || option?.inConfig === undefined) throw notInConfig(table, key, option !== undefined);
  const given = givenBy(option, value);
  if (given === undefined) throw inFile(`Expected ${wanted(option)} for ${key}, found ${JSON.stringify(value)}.`);
  try {
    option.parse(given, flagOf(name));
  } catch (error) {
    throw error instanceof ProbeError ? inFile(error.message, error) : error;
  }
  if (option.inConfig === "path inside") await requireInside(key, [given].flat().map(String), workingDirectory);
  return { name, value: given };
}

/** The value as the parser of the command line would hand it over; `undefined`: of another kind. */
function givenBy({ kind }: Option<unknown>, value: ConfigValue): Given {
  if (typeof value === "boolean") return kind === "switch" ? value : undefined;
  if (kind === "switch" || (Array.isArray(value) && kind === "value")) return undefined;
  return Array.isArray(value) ? value.map(String) : String(value);
}

function wanted({ kind }: Option<unknown>): string {
  if (kind === "switch") return "true or false";
  return kind === "list" ? "a value or a list of values" : "one value";
}

function notInConfig(table: OptionTable, key: string, isOption: boolean): ProbeError {
  const names = Object.entries(table).flatMap(([name, { inConfig }]) => (inConfig === undefined ? [] : [flagOf(name)]));
  const found = shorten(key, 120);
  return inFile(
    isOption
      ? `Expected no ${found}: what names servers, keys or code, says where results go or lifts a guard is for the command ` +
          "line alone."
      : `Expected options of the command (${names.join(", ")}), found ${found}.${nearHint(key, names)}`,
  );
}

function inFile(message: string, cause?: unknown): ProbeError {
  return badInput(`${CONFIG_FILE}, run: ${message}`, cause);
}

/** A file that was found makes the program read no other file of this machine, and fetch none. */
async function requireInside(key: string, paths: readonly string[], folder: string): Promise<void> {
  const root = await realpath(folder);
  for (const path of paths) {
    const whole = resolve(root, path);
    // A path that does not exist leads nowhere.
    const real = await realpath(whole).catch(() => whole);
    const way = relative(root, real);
    const isOutside = way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way);
    if (!isOutside && !/^[a-z][\w+.-]*:/i.test(path)) continue;
    throw inFile(
      `Expected a file inside its folder for ${key}, found "${shorten(path, 120)}". Name others on the command line.`,
    );
  }
}

function typed({ name, value }: Default): string {
  const flag = `--${flagOf(name)}`;
  if (typeof value === "boolean") return flag;
  return [value ?? []]
    .flat()
    .map((one) => `${flag} ${visibleLine(shellWord(one))}`)
    .join(" ");
}
