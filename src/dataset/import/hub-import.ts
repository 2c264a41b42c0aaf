import { inspectDataset } from "../dataset-file.js";
import { FunnelCounter, type LanguageCounts } from "../funnel.js";
import type { DataProblem } from "../problem.js";
import { readTriples } from "../triple.js";
import type { HubAccess } from "./hub-access.js";
import { type SourceFile, sourceFileOf } from "./hub-cache.js";
import { type Downloaded, downloadTo } from "./hub-download.js";
import { chooseFile, readSnapshot } from "./hub-snapshot.js";
import { type HubSource, writeSourceFile } from "./import-source.js";

/**
 * Fetches a dataset's file, at the commit that its revision stands for now, to `out`, and writes where it came from
 * beside it. What stands there before is replaced once the new file is whole.
 * @throws ProbeError `bad_input` for a name that stands for nothing, `model_unavailable` when it cannot be had
 */
export async function importFromHub(source: HubSource, out: string, access: HubAccess, now: Date): Promise<SourceFile> {
  const snapshot = await readSnapshot(source, access);
  const file = chooseFile(source, snapshot);
  const descriptionOf = (downloaded: Downloaded) => sourceFileOf(source, snapshot, file.path, downloaded, now);
  return descriptionOf(
    await downloadTo(out, file, source, snapshot.commit, access, (downloaded) =>
      writeSourceFile(out, descriptionOf(downloaded)),
    ),
  );
}

/** Content of a file that came from elsewhere. */
export interface FileReviews {
  /** `official`: a run can ask about them (spec §2.1). `raw`: records can be built from them (spec §2.2). */
  readonly form: "official" | "raw" | "neither";
  /** Reviews of that form, by language. */
  readonly counts: LanguageCounts;
  /** Lines that are not. */
  readonly invalid: number;
  /** The first few problems of the form the file has, or of official records. */
  readonly problems: readonly DataProblem[];
}

const MOST_PROBLEMS = 5;

/**
 * Tells official records from raw triples: a file has the form of which it has valid lines, official before raw.
 * @throws ProbeError `bad_input` when the file cannot be read at all
 */
export async function inspectReviews(path: string): Promise<FileReviews> {
  const { languages, invalidLines, problems } = await inspectDataset(path);
  const counter = new FunnelCounter();
  for (const language of languages) counter.keep(language);
  const official = { counts: counter.funnel().kept, problems: problems.slice(0, MOST_PROBLEMS) };
  if (languages.length > 0) return { form: "official", ...official, invalid: invalidLines };
  return (await inspectTriples(path)) ?? { form: "neither", ...official, invalid: invalidLines };
}

/** `null`: not one triple. */
async function inspectTriples(path: string): Promise<FileReviews | null> {
  const counter = new FunnelCounter();
  const problems: DataProblem[] = [];
  let invalid = 0;
  for await (const line of readTriples(path)) {
    if (line.status === "valid") counter.keep(line.triple.language);
    else {
      invalid++;
      if (line.status === "invalid" && problems.length < MOST_PROBLEMS) problems.push(...line.problems);
    }
  }
  const counts = counter.funnel().kept;
  return Object.keys(counts).length === 0 ? null : { form: "raw", counts, invalid, problems };
}
