import { existsSync } from "node:fs";
import { ProbeError } from "../../../base/errors.js";
import type { Console, ExitCode } from "../../../console/console.js";
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
import type { ImportValues } from "../dataset-options.js";
import type { ImportJob } from "./import-job.js";

/** `probe dataset import`: fetches, and prints what came. */
export async function handleImport(values: ImportValues, console: Console): Promise<ExitCode> {
  const { overwrite, apiKeyEnv, json: isJson, quiet } = values;
  const source = parseImportSource(values.source);
  const out = values.out ?? `${source.name.replace(/\.jsonl$/i, "")}.jsonl`;
  refuseOptionsOfOthers(source, values);
  await requireOutputs(source, out, overwrite);
  const tokenVariable = requireNamedToken(apiKeyEnv);
  const onMessage = (message: string) => {
    if (!quiet) console.err(`${message}\n`);
  };
  return interruptibly(console, { message: onMessage, stop: () => undefined }, (signal) => {
    const job: ImportJob = { out, isJson, tokenVariable, signal, onMessage, console };
    return runJob(source, job, values);
  });
}

/**
 * Refuses outputs that exist, but for remains of a killed import: a description without its file, or a file whose
 * progress is still there.
 */
async function requireOutputs(source: ImportSource, out: string, overwrite: boolean): Promise<void> {
  const isRepository = source.kind === "github" || source.kind === "gitlab";
  const description = !isRepository && !existsSync(out) ? [] : [sourceFilePath(out)];
  const isUnfinished = isRepository && existsSync(progressPath(out));
  const outputs = [out, ...description].map((path) => ({ option: "out", path }));
  const inputs = "path" in source ? [source.path] : [];
  await requireWritable(outputs, { inputs, overwrite: overwrite || isUnfinished });
}

async function runJob(source: ImportSource, job: ImportJob, values: ImportValues): Promise<ExitCode> {
  if (source.kind === "hub") {
    const { importHub } = await import("./import-hub.js");
    return importHub(source, job);
  }
  if ("path" in source) {
    const { importTableFile } = await import("./import-table.js");
    return importTableFile(source, job, values.skipInvalid);
  }
  const { importFromForge } = await import("./import-from-forge.js");
  return importFromForge(source, job, values);
}

/** Options that some sources have, and which. */
const SOURCES_WITH = {
  since: ["github", "gitlab"],
  until: ["github", "gitlab"],
  maxPulls: ["github", "gitlab"],
  apiKeyEnv: ["hub", "github", "gitlab"],
  skipInvalid: ["table", "promptfoo"],
} as const satisfies Partial<Record<keyof ImportValues, readonly ImportSource["kind"][]>>;

const WRITTEN = {
  hub: "an hf:",
  github: "a github:",
  gitlab: "a gitlab:",
  table: "a FILE.csv",
  promptfoo: "a promptfoo:",
} as const;

function refuseOptionsOfOthers({ kind }: ImportSource, values: ImportValues): void {
  for (const [name, kinds] of Object.entries(SOURCES_WITH) as [keyof typeof SOURCES_WITH, readonly string[]][]) {
    if (values[name] === null || values[name] === false || kinds.includes(kind)) continue;
    throw new ProbeError(
      "bad_input",
      `Expected --${flagOf(name)} with another kind of source, found it with ${WRITTEN[kind]} one. See --help.`,
    );
  }
}

/** A variable that was named must hold a token. */
function requireNamedToken(variable: string | null): string | undefined {
  if (variable === null) return undefined;
  if (readToken([requireVariableName(variable, "--api-key-env")], process.env) !== null) return variable;
  throw new ProbeError("bad_input", `Expected a token in ${variableText(variable)} (--api-key-env), found it empty.`);
}
