import type { z } from "zod";
import { badInput } from "../../base/errors.js";
import { shardText } from "../../base/shard.js";
import { shellWord } from "../../base/text.js";
import { withDefaults } from "../../console/recorded-options.js";
import { modelName } from "../../model/vendor/model-name.js";
import { chooseFolder, type FolderWork, type WorkFolder } from "../../store/folder/work-folder.js";
import { fingerprintOf, type WorkIdentity, workId } from "../../store/identity.js";
import { type RecordFile, recordFile } from "../../store/record-file.js";
import { type RunRecord, runRecordSchema, SCHEMA_VERSION } from "../run-record.js";
import type { AnySuite } from "../suite.js";

/** The file that makes a folder a run. */
export const RUN_FILE = "run.json";

/** `run.json` of a suite's runs. */
export function runFileOf<Run extends RunRecord>(suite: { readonly schema: z.ZodType<Run> }): RecordFile<Run> {
  return recordFile<Run>({
    file: RUN_FILE,
    schema: suite.schema,
    schemaVersion: SCHEMA_VERSION,
    what: "a run",
    command: "probe run",
  });
}

/** `run.json` as far as every suite has it: to find out whose run it is. */
export const ANY_RUN: RecordFile<RunRecord> = runFileOf<RunRecord>({ schema: runRecordSchema });

/**
 * The record of a suite's run.
 * @throws ProbeError `bad_input` when there is none, or it is of another suite
 */
export async function readRun<Run extends RunRecord>(
  suite: { readonly name: string; readonly schema: z.ZodType<Run> },
  folder: string,
): Promise<Run> {
  const run = await ANY_RUN.read(folder);
  if (run.suite === suite.name) return runFileOf(suite).read(folder);
  throw badInput(
    `Expected a run of the suite ${suite.name} in ${folder}, found one of ${run.suite}. ` +
      `Go on with it by its own command: probe suite run ${run.suite} --resume ${shellWord(folder)}`,
  );
}

/**
 * The identity of a run, by name: what has to be the same for it to be resumed. A parameter that its record does not have is
 * the default of its option, so that an option does not part a run from one that was recorded before there was any.
 */
export function identityOf(suite: AnySuite, run: RunRecord): WorkIdentity {
  return { ...wholeIdentityOf(suite, run), ...(run.shard && { shard: shardText(run.shard) }) };
}

/** Identity of the run that a share is of: the same for all its shares. */
export function wholeIdentityOf(suite: AnySuite, share: RunRecord): WorkIdentity {
  const run = wholeRun(share);
  const named = (prefix: string, facts: WorkIdentity) =>
    Object.fromEntries(Object.entries(facts).map(([key, value]) => [`${prefix} ${key}`, value]));
  const { model_args: settings, ...parameters } = withDefaults(suite.options, run.parameters);
  return {
    ...(run.suite === suite.name ? {} : { suite: run.suite }),
    model: run.model.label,
    ...named("model", run.model.identity),
    ...dataFacts(suite.data(run)),
    ...Object.fromEntries(run.prompts.map(({ id, sha256 }) => [`prompt ${id}`, sha256])),
    ...named("parameter", parameters),
    ...(settings === undefined ? {} : { "model settings": settings }),
  };
}

/** A name of several words stands for itself, such as `probe COLOUR`. */
function dataFacts(data: ReturnType<AnySuite["data"]>): WorkIdentity {
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [
      key.includes(" ") ? key : `dataset ${key.replaceAll("_", " ")}`,
      value,
    ]),
  );
}

/** The record of the whole run that a share is of; of a whole run, its own. */
export function wholeRun<Run extends RunRecord>(run: Run): Run {
  const { shard, ...rest } = run;
  return shard === undefined ? run : ({ ...rest, ...shard.whole } as Run);
}

/** SHA-256 of what makes a run what it is; the shares of a run have that of the whole. */
export function runFingerprint<Run extends RunRecord>(suite: { data(run: Run): object }, run: Run): string {
  const { model, parameters, prompts } = run;
  return fingerprintOf([model.label, model.identity, suite.data(wholeRun(run)), parameters, prompts]);
}

/** Such as `20261121T230354Z-tiny-1f2e3d4c`: when it began, the model, and its fingerprint; of a share, which it is. */
export function runId(suite: AnySuite, run: RunRecord, now: Date): string {
  return nameOf(suite, run, now, modelName(run.model));
}

function nameOf(suite: AnySuite, run: RunRecord, now: Date, label: string): string {
  const kind = run.shard === undefined ? null : `shard-${run.shard.index}-of-${run.shard.count}`;
  return workId({ now, kind, label, fingerprint: runFingerprint(suite, run) });
}

/**
 * The folder of a run: `named` (`--out`, `--resume`), else that of an unfinished run of the same command, else a new one.
 * @throws ProbeError `bad_input` when the folder holds another run, naming the differences, or other files
 */
export function chooseRunFolder(
  suite: AnySuite,
  asked: RunRecord,
  named: string | null,
): Promise<WorkFolder<RunRecord>> {
  const work: FolderWork<RunRecord> = {
    name: "run",
    one: "a run",
    file: runFileOf(suite),
    identityOf: (run) => identityOf(suite, run),
    isComplete: ({ status }) => status === "complete",
  };
  const formerId = nameOf(suite, asked, new Date(asked.times.created_at), asked.model.label);
  return chooseFolder(
    work,
    { record: asked, id: asked.run_id, formerId, fingerprint: runFingerprint(suite, asked) },
    named,
  );
}
