import { z } from "zod";
import { goldAgent } from "../../agent/scripted-agents.js";
import { jsonValue } from "../../base/text.js";
import { sealedText } from "../../workspace/sealed-files.js";
import type { BenchAdapter } from "../adapter.js";
import type { BenchTask } from "../bench-task.js";
import { lineUpText, stands } from "../lineup/line-up.js";
import type { PartScore } from "../suite-part.js";
import { artifactsOf, OUTPUT_FILE, PATCH_FILE, REPORT_FILE, TRANSCRIPT_FILE } from "../trial-artifacts.js";
import type { TrialRecord } from "../trial-records.js";
import type { TrialRun } from "../trial-run.js";
import { type Failure, firstFailure, type Step, stepsOf } from "./transcript.js";

/** A trial as its files tell it. */
export interface Story {
  readonly record: TrialRecord;
  /** True if the headline says so; `null`: it is not known. */
  readonly passed: boolean | null;
  readonly headline: string;
  readonly steps: readonly Step[];
  readonly patch: string;
  /** Patch of the control `gold` of the same run; `null`: it has none. */
  readonly goldPatch: string | null;
  /** Output of the tests that graded it, and of an agent that is a command. */
  readonly output: string;
  readonly agentOutput: string;
  /** Place at which it failed first, in a sentence or two; `null`: it did not, or nothing tells. */
  readonly failure: string | null;
  /** Folder of the files. */
  readonly place: string;
}

/** Run that trials are told of. */
export interface ToldRun<Task extends BenchTask> {
  readonly adapter: Pick<BenchAdapter<Task>, "headline" | "scores">;
  readonly part: PartScore;
  readonly folder: string;
  readonly run: TrialRun;
}

/** The most of a file that is read, in bytes. */
const MOST_BYTES = 8 * 1024 * 1024;

/** Reads what is on disk about a trial; a file that is not there is an empty one. @param record with all its scores */
export async function readStory<Task extends BenchTask>(
  { adapter, part, folder, run }: ToldRun<Task>,
  record: TrialRecord,
): Promise<Story> {
  const place = artifactsOf(folder, run, record);
  const textOf = async (name: string, root = place) => await sealedText(root, name, MOST_BYTES);
  const [transcript, patch, output, report] = await Promise.all(
    [TRANSCRIPT_FILE, PATCH_FILE, OUTPUT_FILE, REPORT_FILE].map((name) => textOf(name)),
  );
  const isGold = record.agent === goldAgent.name;
  const gold = { ...record, agent: goldAgent.name, trial: 0 };
  const hasGold = run.agents.some(({ name }) => name === goldAgent.name);
  const score = record.scores[adapter.headline];
  const passed = record.status === "graded" && typeof score === "boolean" ? score && record.tampered !== true : null;
  return {
    record,
    passed,
    headline: adapter.headline,
    steps: stepsOf(transcript ?? ""),
    patch: patch ?? "",
    goldPatch: hasGold && !isGold ? await textOf(PATCH_FILE, artifactsOf(folder, run, gold)) : null,
    output: output ?? "",
    agentOutput: commandOutput(transcript ?? ""),
    failure: passed === true ? null : failureOf({ record, output: output ?? "", report: report ?? "" }, part, adapter),
    place,
  };
}

function commandOutput(transcript: string): string {
  const outputs = transcript.split("\n").flatMap((line) => {
    if (!line.includes('"role":"command"')) return [];
    return z.object({ output: z.string() }).safeParse(jsonValue(line)).data?.output ?? [];
  });
  return outputs.join("\n");
}

interface GradedFiles {
  readonly record: TrialRecord;
  readonly output: string;
  readonly report: string;
}

function failureOf<Task extends BenchTask>(
  { record, output, report }: GradedFiles,
  part: PartScore,
  { scores, headline }: Pick<BenchAdapter<Task>, "headline" | "scores">,
): string | null {
  if (record.status !== "graded") return record.detail ?? "no reason is recorded";
  if (record.patch_applies === false) return `The patch was not taken: ${record.detail ?? "it does not apply"}`;
  if (record.tampered === true) return "The graded code changed the tests, or had expectations hold that were turned.";
  const line = foundIn(jsonValue(report), lineUpSchema);
  if (line !== null && !stands(line)) return `Its passes do not stand: ${lineUpText(line)}.`;
  const { test, reason } = namedFailure(jsonValue(report)) ?? firstFailure(output);
  if (test !== null) return `First failing test: ${test}${reason === null ? "" : `: ${reason}`}`;
  const fault = part.faultOf?.(record) ?? null;
  if (fault !== null) return fault;
  if (reason !== null) return `The tests say: ${reason}`;
  const unmet = scores.filter(
    ({ kind, name }) => kind === "share" && name !== headline && record.scores[name] === false,
  );
  if (unmet.length > 0) return `Not met: ${unmet.map(({ name }) => name).join(", ")}.`;
  return record.detail;
}

const lineUpSchema = z.looseObject({ asked: z.number(), unseen: z.array(z.string()), turned: z.array(z.string()) });

const failuresSchema = z.looseObject({ failures: z.array(z.object({ name: z.string(), message: z.string() })) });

/** The first test that fails, as a report names it; `null`: it names none. */
function namedFailure(report: unknown): Failure | null {
  const [first] = foundIn(report, failuresSchema)?.failures ?? [];
  return first === undefined ? null : { test: first.name, reason: first.message === "" ? null : first.message };
}

/** The part of a report that has a shape, such as its line-up, whatever its suite calls it; `null`: there is none. */
function foundIn<T>(report: unknown, schema: z.ZodType<T>, depth = 0): T | null {
  const own = schema.safeParse(report).data;
  if (own !== undefined) return own;
  if (depth > 2 || typeof report !== "object" || report === null) return null;
  return (
    Object.values(report)
      .map((value) => foundIn(value, schema, depth + 1))
      .find((part) => part !== null) ?? null
  );
}
