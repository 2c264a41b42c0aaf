import { ProbeError } from "../../../base/errors.js";
import { EXIT, type ExitCode } from "../../../console/console.js";
import { jsonText } from "../../../console/json-output.js";
import { totalOf } from "../../../dataset/funnel.js";
import { forgeApiUrl } from "../../../dataset/import/forge/forge-client.js";
import { GITHUB } from "../../../dataset/import/forge/github.js";
import { GITLAB } from "../../../dataset/import/forge/gitlab.js";
import { importRepository, type RepositoryImportOutcome } from "../../../dataset/import/forge/import-repository.js";
import { readToken } from "../../../dataset/import/host-requests.js";
import type { RepositorySource } from "../../../dataset/import/import-source.js";
import { showBlocks } from "../../../report/terminal.js";
import type { ImportValues } from "../dataset-options.js";
import { funnelTable } from "../funnel-table.js";
import type { ImportJob } from "./import-job.js";

const DAY_MS = 24 * 60 * 60 * 1000;

const FORGES = { github: GITHUB, gitlab: GITLAB } as const;

/** Reads a repository's reviews and prints the funnel. */
export async function importFromForge(
  source: RepositorySource,
  job: ImportJob,
  { since, until, maxPulls }: ImportValues,
): Promise<ExitCode> {
  const { out, signal, onMessage, tokenVariable, console } = job;
  if (since !== null && until !== null && since > until) {
    throw new ProbeError("bad_input", "Expected --since to be no later than --until, found it after.");
  }
  const words = FORGES[source.kind];
  const token = readToken(tokenVariable === undefined ? words.tokenVariables : [tokenVariable], process.env);
  const access = { apiUrl: forgeApiUrl(words), token, signal, onMessage };
  const outcome = await importRepository({
    source,
    out,
    since,
    until: until === null ? null : new Date(until.getTime() + DAY_MS),
    maxPulls,
    access,
    now: console.now,
    onPull: (pulls) => {
      if (pulls % 100 === 0) onMessage(`${pulls} ${words.requests} read.`);
    },
  });
  return conclude(outcome, job, words.requests);
}

function conclude(outcome: RepositoryImportOutcome, { out, isJson, console }: ImportJob, requests: string): ExitCode {
  if (outcome.status === "interrupted") {
    console.err(
      outcome.pulls === 0
        ? `Stopped before any of the ${requests} was read. The same command begins anew.\n`
        : `Stopped after ${outcome.pulls} ${requests}, which are kept in ${outcome.progressPath}. ` +
            "The same command goes on.\n",
    );
    return EXIT.interrupted;
  }
  const { pulls, funnel, sha256, license } = outcome;
  if (isJson) {
    console.out(jsonText({ out, sha256, license, pulls, funnel }));
    return EXIT.done;
  }
  showBlocks(console, [funnelTable(funnel)]);
  const kept = totalOf(funnel.kept);
  console.out(
    `${kept} of ${totalOf(funnel.read)} inline comments of ${pulls} merged ${requests} became raw triples: ${out}\n`,
  );
  if (kept > 0) console.out(`Next: probe dataset filter ${out} --out FILE, then probe dataset build.\n`);
  return EXIT.done;
}
