import { ProbeError } from "../../../../../base/errors.js";
import { shorten } from "../../../../../base/text.js";
import { single, wholeNumber } from "../../../../../console/arguments.js";
import { EXIT, type ExitCode } from "../../../../../console/exit-codes.js";
import { showBlocks } from "../../../../../console/show-blocks.js";
import { totalOf } from "../../../dataset/funnel.js";
import { gitHubApiUrl } from "../../../import/github/client.js";
import { importRepository, type RepositoryImportOutcome } from "../../../import/github/import-repository.js";
import type { GitHubSource } from "../../../import/source.js";
import { readToken } from "../../../import/token.js";
import { funnelTable } from "../../../report/dataset/funnel.js";
import type { ImportArguments } from "./import-handler.js";
import type { ImportJob } from "./job.js";

const DAY_MS = 24 * 60 * 60 * 1000;

/** Reads a repository's reviews and prints the funnel. */
export async function importGitHub(source: GitHubSource, job: ImportJob, given: ImportArguments): Promise<ExitCode> {
  const { out, signal, onMessage, tokenVariable, console } = job;
  const since = day("since", given.since);
  const until = day("until", given.until);
  if (since !== null && until !== null && since > until) {
    throw new ProbeError("bad_input", "Expected --since to be no later than --until, found it after.");
  }
  const token = readToken(tokenVariable === undefined ? ["GITHUB_TOKEN", "GH_TOKEN"] : [tokenVariable], process.env);
  const outcome = await importRepository({
    source,
    out,
    since,
    until: until === null ? null : new Date(until.getTime() + DAY_MS),
    maxPulls: wholeNumber("max-pulls", given.maxPulls, 1) ?? null,
    access: { apiUrl: gitHubApiUrl(), token, signal, onMessage },
    now: console.now,
    onPull: (pulls) => {
      if (pulls % 100 === 0) onMessage(`${pulls} pull requests read.`);
    },
  });
  return conclude(outcome, job);
}

function conclude(outcome: RepositoryImportOutcome, { out, isJson, console }: ImportJob): ExitCode {
  if (outcome.status === "interrupted") {
    console.err(
      outcome.pulls === 0
        ? "Stopped before a pull request was read. The same command begins anew.\n"
        : `Stopped after ${outcome.pulls} pull requests, which are kept in ${outcome.progressPath}. ` +
            "The same command goes on.\n",
    );
    return EXIT.interrupted;
  }
  const { pulls, funnel, sha256, license } = outcome;
  if (isJson) {
    console.out(`${JSON.stringify({ out, sha256, license, pulls, funnel }, null, 2)}\n`);
    return EXIT.done;
  }
  showBlocks(console, [funnelTable(funnel)]);
  const kept = totalOf(funnel.kept);
  console.out(
    `${kept} of ${totalOf(funnel.read)} inline comments of ${pulls} merged pull requests became raw triples: ${out}\n`,
  );
  if (kept > 0) console.out(`Next: probe dataset filter ${out} --out FILE, then probe dataset build.\n`);
  return EXIT.done;
}

/** The beginning of a day, UTC. */
function day(option: string, values: string | readonly string[] | undefined): Date | null {
  const text = single(option, values);
  if (text === undefined) return null;
  const date = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : null;
  // 30 February would become 2 March.
  if (date !== null && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)) return date;
  throw new ProbeError(
    "bad_input",
    `Expected a day such as 2025-01-31 for --${option}, found "${shorten(text, 120)}".`,
  );
}
