import { z } from "zod";
import { badInput, isSystemError } from "../base/errors.js";
import { LANGUAGES } from "../base/language.js";
import { sha256 } from "../base/sha256.js";
import type { DropReason } from "../dataset/curate/review-filter.js";
import { DIFFICULTIES } from "../dataset/example.js";
import { type Funnel, FunnelCounter } from "../dataset/funnel.js";
import type { OfficialRecord } from "../dataset/official-record.js";
import { ProblemList } from "../dataset/problem.js";
import { readTriples, type Triple, type TripleLine } from "../dataset/triple.js";
import { writeAtomically } from "../store/atomic-write.js";
import type { JournalCodec } from "../store/journal/codec.js";
import { jsonRecord } from "../store/journal/codec.js";
import { readJournal } from "../store/journal/read-journal.js";
import { readText } from "../store/text-lines.js";
import type { NearMiss } from "./near-miss/near-miss.js";
import { type KeepReading, readingKeeper, SUFFICE } from "./needs-reading.js";
import { surrogateWarning } from "./surrogate.js";

/**
 * Methods of making wrong options (spec §3). `paper`: the paper's algorithms alone. `matched`: at the paper's difficulties, and so
 * that who reads nothing cannot tell the right option from the wrong ones.
 */
export type BuildMethod = "matched" | "paper";

/** Wrong options of a question, of each difficulty (N in Algorithm 1). */
export const DISTRACTORS = 3;

/** Result of one line of the input; a line of the partial file. */
const buildStep = z.object({
  /** Line of the input file, from 1. */
  line: z.int().positive(),
  language: z.enum([...LANGUAGES, "other"]),
  dropped: z.string().nullable(),
  record: z.custom<OfficialRecord>().nullable(),
  /** Near misses that the SI options are made of, where the options are still to be chosen. */
  misses: z.array(z.custom<NearMiss>()).nullable(),
  explanation: z.record(z.string(), z.unknown()).nullable(),
});

export type BuildStep = z.infer<typeof buildStep>;

/**
 * The journal of a build, `<name>.partial.jsonl`: a line an example, in the order of the input; by `matched` the examples
 * without options first, then all again with those that were chosen.
 */
export const BUILD_JOURNAL: JournalCodec<BuildStep> = {
  kind: "build",
  journal: "what an unfinished build left",
  record: "an example of an unfinished build",
  onDamage: "Move the file away: the same command builds all examples again.",
  version1: "facts",
  ...jsonRecord(buildStep),
};

/** Counts of a finished build. */
export interface BuildResult {
  readonly examples: Funnel;
  /** Questions by task: how many records have one, and why the others do not. */
  readonly questions: Readonly<Record<"CTR" | "CL" | "SI", Funnel>>;
  /** SI questions by how many of their two near misses the writer wrote; absent: no writer was asked. */
  readonly written?: Readonly<Record<"both" | "one" | "none", number>>;
}

interface OutputPaths {
  /** The records. */
  readonly records: string;
  /** Origins of the SI distractors: `<name>.distractors.jsonl`. */
  readonly explanations: string;
  /** Inputs, options and models of the build: `<name>.build.json`. */
  readonly description: string;
  /** While it is under way: `<name>.partial.jsonl`. */
  readonly partial: string;
}

export function outputPaths(out: string): OutputPaths {
  const stem = out.replace(/\.jsonl$/, "");
  return {
    records: out,
    explanations: `${stem}.distractors.jsonl`,
    description: `${stem}.build.json`,
    partial: `${stem}.partial.jsonl`,
  };
}

/**
 * Writes the records and their explanations from what the partial file holds; each whole or not at all.
 * @param partial path of the partial file
 * @param first number of the first of its lines that is written
 * @throws ProbeError `bad_input` where there are too few questions to tell which need reading
 */
export async function writeRecords(
  partial: string,
  first: number,
  paths: OutputPaths,
  kept: KeptRecords,
): Promise<BuildResult> {
  const tally = new BuildTally(kept.onlyComplete, kept.writer !== null, kept.invalid);
  const keep = kept.needsReading ? await readingKeeper(recordsOf(stepsFrom(partial, first), kept.onlyComplete)) : null;
  await writeAtomically(paths.explanations, async (appendExplanation) => {
    await writeAtomically(paths.records, async (appendRecord) => {
      for await (const built of stepsFrom(partial, first)) {
        const step = withoutWords(built, keep);
        if (!tally.count(step) || step.record === null) continue;
        await appendRecord(`${JSON.stringify(step.record)}\n`);
        if (step.explanation !== null) {
          await appendExplanation(`${JSON.stringify({ id: step.record.id, ...step.explanation })}\n`);
        }
      }
    });
  });
  return tally.result();
}

/** Records and questions that are written. */
interface KeptRecords {
  /** Leave out records that lack a question. */
  readonly onlyComplete: boolean;
  /** Leave out questions that matching words of the review answers, and records without another. */
  readonly needsReading: boolean;
  /** `null`: no model wrote near misses. */
  readonly writer: object | null;
  /** Invalid lines of the input that were skipped. */
  readonly invalid: number;
}

/** Lines of the partial file from a number on, from 0. */
export async function* stepsFrom(partial: string, first: number): AsyncGenerator<BuildStep> {
  let number = 0;
  for await (const { record } of readJournal(partial, BUILD_JOURNAL)) if (number++ >= first) yield record;
}

async function* recordsOf(steps: AsyncIterable<BuildStep>, onlyComplete: boolean): AsyncGenerator<OfficialRecord> {
  const tally = new BuildTally(onlyComplete);
  for await (const step of steps) {
    if (tally.count(step) && step.record !== null) yield step.record;
  }
}

/** @param keep `null`: all questions stay */
function withoutWords(step: BuildStep, keep: KeepReading | null): BuildStep {
  if (keep === null || step.record === null || step.dropped !== null) return step;
  return { ...step, ...keep(step.record) };
}

const kindSchema = z.object({ kind: z.string() });
/** Kinds of the two near misses of each square that an explanation tells. */
const squaresIn = z
  .object({ squares: z.array(z.object({ difficulty: z.enum(DIFFICULTIES), a: kindSchema, b: kindSchema })) })
  .transform(({ squares }) => squares.map(({ difficulty, a, b }) => ({ difficulty, kinds: [a.kind, b.kind] })))
  .catch([]);

class BuildTally {
  readonly #onlyComplete: boolean;
  readonly #hasWriter: boolean;
  readonly #examples = new FunnelCounter();
  readonly #questions = { CTR: new FunnelCounter(), CL: new FunnelCounter(), SI: new FunnelCounter() };
  readonly #written = { both: 0, one: 0, none: 0 };

  /** @param invalid lines that were skipped */
  constructor(onlyComplete: boolean, hasWriter = false, invalid = 0) {
    this.#onlyComplete = onlyComplete;
    this.#hasWriter = hasWriter;
    for (let i = 0; i < invalid; i++) this.#examples.drop("other", "invalid record" satisfies DropReason);
  }

  /** @returns whether the record is written */
  count({ language, dropped, record, explanation }: BuildStep): boolean {
    if (record === null || dropped !== null) {
      this.#examples.drop(language, dropped ?? "not built");
      return false;
    }
    const [lacking] = Object.entries(record.not_built ?? {});
    if (this.#onlyComplete && lacking !== undefined) {
      this.#examples.drop(language, `no ${lacking[0]} question: ${lacking[1]}`);
      return false;
    }
    this.#examples.keep(record.lang);
    this.#countQuestions(record);
    for (const { difficulty, kinds } of squaresIn.parse(explanation)) {
      if (record.not_asked?.[`SI ${difficulty}`] !== undefined) continue;
      const written = kinds.filter((kind) => kind === "written").length;
      this.#written[written === 2 ? "both" : written === 1 ? "one" : "none"]++;
    }
    return true;
  }

  #countQuestions({ lang, type_correct: type, not_built: notBuilt, not_asked: notAsked }: OfficialRecord): void {
    this.#questions.CTR.keep(lang);
    for (const task of ["CL", "SI"] as const) {
      const isLeftOut = DIFFICULTIES.every((difficulty) => notAsked?.[`${task} ${difficulty}`] !== undefined);
      const reason =
        task === "SI" && type === "remove_only"
          ? "a deletion: not asked"
          : (notBuilt?.[task] ?? (isLeftOut ? SUFFICE : undefined));
      if (reason === undefined) this.#questions[task].keep(lang);
      else this.#questions[task].drop(lang, reason);
    }
  }

  result(): BuildResult {
    const { CTR, CL, SI } = this.#questions;
    return {
      examples: this.#examples.funnel(),
      questions: { CTR: CTR.funnel(), CL: CL.funnel(), SI: SI.funnel() },
      ...(this.#hasWriter && { written: this.#written }),
    };
  }
}

/** Input of a build. */
export interface BuildInput {
  /** JSONL of raw triples, or of official records with or without options. */
  readonly input: string;
  /** Only the first so many examples of the input; `null`: all. */
  readonly limit: number | null;
  readonly skipInvalid: boolean;
}

const SHOWN_PROBLEMS = 10;

/** A line of the input that is read. */
export type ExampleLine = Exclude<TripleLine, { readonly status: "invalid" }>;

/** The examples that are asked for, in file order; invalid lines are passed over. */
export async function* examplesOf({ input, limit }: BuildInput): AsyncGenerator<ExampleLine> {
  let left = limit ?? Number.POSITIVE_INFINITY;
  for await (const line of readTriples(input)) {
    if (left-- <= 0) return;
    if (line.status === "invalid") left++;
    else yield line;
  }
}

/**
 * Numbers of examples that are asked for, and of invalid lines before the last of them. Reads the whole input.
 * @throws ProbeError `bad_input` where lines are invalid and not to be skipped, or there is no example
 */
export async function countExamples({ input, limit, skipInvalid }: BuildInput, warn: (message: string) => void) {
  let examples = 0;
  let passedOver = 0;
  const most = limit ?? Number.POSITIVE_INFINITY;
  const problems = new ProblemList();
  let invalid = 0;
  for await (const line of readTriples(input)) {
    if (line.status !== "invalid") examples++;
    else {
      invalid++;
      if (examples < most) passedOver++;
      problems.add(line.problems);
    }
  }
  if (invalid > 0 && !(skipInvalid && examples > 0)) {
    const advice = examples > 0 ? " Correct them, or leave them out with --skip-invalid." : "";
    throw badInput(`${problems.text(SHOWN_PROBLEMS)}\n${invalidLines(invalid)}; nothing was built.${advice}`);
  }
  if (invalid > 0) warn(`${problems.text(SHOWN_PROBLEMS)}\n${invalidLines(invalid)}; skipped (--skip-invalid).`);
  if (examples === 0) {
    throw badInput(`Expected code reviews in ${input}, found none.`);
  }
  return { examples: Math.min(examples, most), invalid: passedOver };
}

function invalidLines(count: number): string {
  return `Found ${count} invalid line${count === 1 ? "" : "s"}`;
}

/**
 * Why an example cannot stand beside those before it, or `null`.
 * @param seen hash of the content, by id; the example is entered
 */
export function findRepetition(
  { id, language, preReviewLines, postReviewLines, review }: Triple,
  seen: Map<string, string>,
) {
  const content = sha256(JSON.stringify([language, preReviewLines, postReviewLines, review]));
  const first = seen.get(id);
  if (first === undefined) {
    seen.set(id, content);
    return null;
  }
  return first === content ? "the same as an example before" : "the id of another example before";
}

/** Warning of the description beside built records about their SI questions; `null`: none, or there is no description. */
export async function recordedWarning(records: string): Promise<string | null> {
  try {
    const text = await readText(outputPaths(records).description);
    const parsed = z.record(z.string(), z.unknown()).safeParse(JSON.parse(text));
    return parsed.data === undefined ? null : surrogateWarning(parsed.data);
  } catch (error) {
    if (error instanceof SyntaxError || isSystemError(error, "ENOENT") || isSystemError(error, "ENOTDIR")) return null;
    throw error;
  }
}
