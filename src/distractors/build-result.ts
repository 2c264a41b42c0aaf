import { z } from "zod";
import { LANGUAGES } from "../base/language.js";
import { type Funnel, FunnelCounter } from "../dataset/funnel.js";
import type { OfficialRecord } from "../dataset/official-record.js";
import { writeAtomically } from "../store/atomic-write.js";
import type { JournalCodec } from "../store/journal/codec.js";
import { jsonRecord } from "../store/journal/json-record.js";
import { readJournal } from "../store/journal/read-journal.js";

/** What became of one line of the input; a line of the partial file. */
const buildStep = z.object({
  /** Of the input file, from 1. */
  line: z.int().positive(),
  language: z.enum([...LANGUAGES, "other"]),
  dropped: z.string().nullable(),
  record: z.custom<OfficialRecord>().nullable(),
  explanation: z.record(z.string(), z.unknown()).nullable(),
});

export type BuildStep = z.infer<typeof buildStep>;

/** The journal of a build, `<name>.partial.jsonl`: a line an example, in the order of the input. */
export const BUILD_JOURNAL: JournalCodec<BuildStep> = {
  kind: "build",
  journal: "what an unfinished build left",
  record: "an example of an unfinished build",
  onDamage: "Move the file away: the same command builds all examples again.",
  version1: "facts",
  ...jsonRecord(buildStep),
};

/** What a build came to. */
export interface BuildResult {
  readonly examples: Funnel;
  /** By task: how many records have the question, and why the others do not. */
  readonly questions: Readonly<Record<"CTR" | "CL" | "SI", Funnel>>;
}

interface OutputPaths {
  /** The records. */
  readonly records: string;
  /** How each SI distractor came to be: `<name>.distractors.jsonl`. */
  readonly explanations: string;
  /** What was built from what, and how: `<name>.build.json`. */
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
 * @param onlyComplete leave out records that lack a question
 */
export async function writeRecords(partial: string, paths: OutputPaths, onlyComplete: boolean): Promise<BuildResult> {
  const tally = new BuildTally(onlyComplete);
  await writeAtomically(paths.explanations, async (appendExplanation) => {
    await writeAtomically(paths.records, async (appendRecord) => {
      for await (const { record: step } of readJournal(partial, BUILD_JOURNAL)) {
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

class BuildTally {
  readonly #onlyComplete: boolean;
  readonly #examples = new FunnelCounter();
  readonly #questions = { CTR: new FunnelCounter(), CL: new FunnelCounter(), SI: new FunnelCounter() };

  constructor(onlyComplete: boolean) {
    this.#onlyComplete = onlyComplete;
  }

  /** @returns whether the record is written */
  count({ language, dropped, record }: BuildStep): boolean {
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
    return true;
  }

  #countQuestions({ lang, type_correct: type, not_built: notBuilt }: OfficialRecord): void {
    this.#questions.CTR.keep(lang);
    for (const task of ["CL", "SI"] as const) {
      const reason = task === "SI" && type === "remove_only" ? "a deletion: not asked" : notBuilt?.[task];
      if (reason === undefined) this.#questions[task].keep(lang);
      else this.#questions[task].drop(lang, reason);
    }
  }

  result(): BuildResult {
    const { CTR, CL, SI } = this.#questions;
    return {
      examples: this.#examples.funnel(),
      questions: { CTR: CTR.funnel(), CL: CL.funnel(), SI: SI.funnel() },
    };
  }
}
