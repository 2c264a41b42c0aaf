import { shorten } from "../../../base/text.js";
import { EXIT, type ExitCode } from "../../../console/console.js";
import { jsonText } from "../../../console/json-output.js";
import { hubAccess } from "../../../dataset/import/hub-access.js";
import type { SourceFile } from "../../../dataset/import/hub-cache.js";
import { type FileReviews, importFromHub, inspectReviews } from "../../../dataset/import/hub-import.js";
import type { HubSource } from "../../../dataset/import/import-source.js";
import { describeProblem } from "../../../dataset/problem.js";
import type { ImportJob } from "./import-job.js";

/** Fetches a file from the hub and says what is in it. */
export async function importHub(source: HubSource, job: ImportJob): Promise<ExitCode> {
  const { out, signal, onMessage, tokenVariable, console } = job;
  const access = hubAccess({ signal, onMessage, tokenVariable });
  let fetched: SourceFile;
  try {
    fetched = await importFromHub(source, out, access, console.now());
  } catch (error) {
    if (!signal.aborted) throw error;
    console.err("Stopped; nothing was kept. The same command begins anew.\n");
    return EXIT.interrupted;
  }
  const reviews = await inspectReviews(out);
  if (job.isJson) {
    const { form, counts, invalid, problems } = reviews;
    console.out(jsonText({ out, ...fetched, form, counts, invalid, problems }));
  } else {
    for (const problem of reviews.problems) console.err(`${describeProblem(problem)}\n`);
    console.out(summary(out, fetched, reviews));
  }
  return reviews.form === "neither" ? EXIT.badInput : EXIT.done;
}

function summary(out: string, fetched: SourceFile, reviews: FileReviews): string {
  const { source, revision, file, bytes, sha256, license } = fetched;
  return [
    `${out}: ${shorten(`${source}/${file}`, 300)}, ${bytes} bytes`,
    `commit ${revision}`,
    `SHA-256 ${sha256}`,
    `licence ${license === undefined ? "not told by the hub" : shorten(license, 120)}`,
    ...contents(reviews, out),
    "",
  ].join("\n");
}

function contents({ form, counts, invalid }: FileReviews, out: string): string[] {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const byLanguage = Object.entries(counts)
    .map(([language, count]) => `${language} ${count}`)
    .join(", ");
  const rest = (why: string) => (invalid === 0 ? [] : [`Other lines: ${invalid}. ${why}`]);
  switch (form) {
    case "official":
      return [
        `${total} official records (${byLanguage}): probe run --dataset ${out}`,
        ...rest(`\`probe dataset validate ${out}\` lists why.`),
      ];
    case "raw":
      return [
        `${total} raw triples (${byLanguage}): probe dataset build ${out} makes records of them`,
        ...rest(`Invalid, or in a language that no probe knows: \`probe dataset stats ${out}\` tells.`),
      ];
    case "neither":
      return ["Expected official records or raw triples, found neither: this program cannot ask about them."];
  }
}
