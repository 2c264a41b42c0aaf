import { existsSync } from "node:fs";
import { ProbeError } from "../../../base/errors.js";
import { single } from "../../../console/arguments.js";
import type { ExitCode } from "../../../console/command.js";
import type { Console } from "../../../console/console.js";
import { flagOf } from "../../../console/option.js";
import { requireWritable } from "../../../console/output-file.js";
import { interruptibly } from "../../../console/progress.js";
import { readToken } from "../../../dataset/import/host-requests.js";
import {
  type ImportSource,
  parseImportSource,
  progressPath,
  sourceFilePath,
} from "../../../dataset/import/import-source.js";
import { requireVariableName, variableText } from "../../../model/http/secrets.js";

type Text = string | readonly string[] | undefined;

/** The options of `probe dataset import` as the parser hands them over. */
export interface ImportArguments {
  readonly source: string;
  readonly out?: Text;
  readonly overwrite?: boolean | undefined;
  readonly since?: Text;
  readonly until?: Text;
  readonly maxPulls?: Text;
  readonly apiKeyEnv?: Text;
  readonly skipInvalid?: boolean | undefined;
  readonly json?: boolean | undefined;
  readonly quiet?: boolean | undefined;
}

/** `probe dataset import`: fetches, and prints what came. */
export async function handleImport(given: ImportArguments, console: Console): Promise<ExitCode> {
  const source = parseImportSource(given.source);
  const out = single("out", given.out) ?? `${source.name.replace(/\.jsonl$/i, "")}.jsonl`;
  refuseOptionsOfOthers(source, given);
  await requireOutputs(source, out, given.overwrite === true);
  const tokenVariable = requireNamedToken(single("api-key-env", given.apiKeyEnv));
  const onMessage = (message: string) => {
    if (given.quiet !== true) console.err(`${message}\n`);
  };
  return interruptibly(console, { message: onMessage, stop: () => undefined }, (signal) => {
    const job: ImportJob = { out, isJson: given.json === true, tokenVariable, signal, onMessage, console };
    return runJob(source, job, given);
  });
}

/** What a killed import left is no hindrance: a description without its file, or a file whose progress is still there. */
async function requireOutputs(source: ImportSource, out: string, overwrite: boolean): Promise<void> {
  const isRepository = source.kind === "github" || source.kind === "gitlab";
  const description = !isRepository && !existsSync(out) ? [] : [sourceFilePath(out)];
  const isUnfinished = isRepository && existsSync(progressPath(out));
  const outputs = [out, ...description].map((path) => ({ option: "out", path }));
  const inputs = source.kind === "table" ? [source.path] : [];
  await requireWritable(outputs, { inputs, overwrite: overwrite || isUnfinished });
}

async function runJob(source: ImportSource, job: ImportJob, given: ImportArguments): Promise<ExitCode> {
  if (source.kind === "hub") {
    const { importHub } = await import("./import-hub.js");
    return importHub(source, job);
  }
  if (source.kind === "table") {
    const { importTableFile } = await import("./import-table.js");
    return importTableFile(source, job, given.skipInvalid === true);
  }
  const { importFromForge } = await import("./import-repository.js");
  return importFromForge(source, job, given);
}

/** Options that some sources have, and which. */
const SOURCES_WITH = {
  since: ["github", "gitlab"],
  until: ["github", "gitlab"],
  maxPulls: ["github", "gitlab"],
  apiKeyEnv: ["hub", "github", "gitlab"],
  skipInvalid: ["table"],
} as const satisfies Partial<Record<keyof ImportArguments, readonly ImportSource["kind"][]>>;

const WRITTEN = { hub: "an hf:", github: "a github:", gitlab: "a gitlab:", table: "a FILE.csv" } as const;

function refuseOptionsOfOthers({ kind }: ImportSource, given: ImportArguments): void {
  for (const [name, kinds] of Object.entries(SOURCES_WITH) as [keyof typeof SOURCES_WITH, readonly string[]][]) {
    if (given[name] === undefined || kinds.includes(kind)) continue;
    throw new ProbeError(
      "bad_input",
      `Expected --${flagOf(name)} with another kind of source, found it with ${WRITTEN[kind]} one. See --help.`,
    );
  }
}

/** A variable that was named must hold a token. */
function requireNamedToken(variable: string | undefined): string | undefined {
  if (variable === undefined) return undefined;
  if (readToken([requireVariableName(variable, "--api-key-env")], process.env) !== null) return variable;
  throw new ProbeError("bad_input", `Expected a token in ${variableText(variable)} (--api-key-env), found it empty.`);
}

/** What every kind of import is given. */
export interface ImportJob {
  readonly out: string;
  readonly isJson: boolean;
  /** The variable the user named for the token; `undefined`: the usual ones. */
  readonly tokenVariable: string | undefined;
  readonly signal: AbortSignal;
  readonly onMessage: (message: string) => void;
  readonly console: Console;
}
