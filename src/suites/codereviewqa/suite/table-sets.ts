import { badInput } from "../../../base/errors.js";
import { sentence } from "../../../report/make-block.js";
import type { TableSet } from "../../../report/verdicts/table-set.js";
import type { PageRequest, SuitePage } from "../../../run/suite-page.js";
import { contaminationTable } from "../audit/audit-blocks.js";
import { knownData, readAuditReport } from "../audit/known-audits.js";
import { failureComparison } from "../failures/failure-comparison.js";
import { analyseFailures } from "../failures/failures.js";
import type { PageParts } from "../report/page/page-parts.js";

/** Part of a report's page about code review questions, and audits of them. */
export async function reviewPage({ runs, others: audits, datasets }: PageRequest): Promise<SuitePage> {
  // What a table of its own needs nothing of.
  const [{ readPageParts }, { pagePart }] = await Promise.all([
    import("../report/page/page-parts.js"),
    import("../report/page/report-page.js"),
  ]);
  const parts = await readPageParts({ runs, audits, datasets });
  return {
    part: await pagePart(parts),
    runs: parts.data.models.map(({ verdicts, run }) => ({
      ...verdicts,
      reality: [
        knownData(
          run,
          parts.audits.map(({ audit }) => audit),
        ),
      ],
    })),
    notes: notesOf(parts),
    others: { audits: parts.audits.map(({ folder, audit }) => ({ audit_id: audit.audit_id, folder })) },
  };
}

function notesOf({ data }: PageParts): string[] {
  const alike =
    data.differences.length === 0
      ? []
      : [`The runs were not asked alike: they differ in ${data.differences.join(", ")}.`];
  const missing = [...data.examples.values()].flatMap((found) =>
    found.status === "missing" ? [`Code and options are not in the report: ${found.reason}`] : [],
  );
  return [...alike, ...missing];
}

/**
 * Probes failed by models that do not write the right revision, and by those that do (paper, Table 3).
 * @throws ProbeError `bad_input` where a run lacks ACR or a probe: then with the command that asks for it
 */
export async function failureSet({ runs }: PageRequest): Promise<TableSet> {
  const { analyses } = await analyseFailures({ folders: runs, match: "em", by: null });
  const [nonMatches, matches] = failureComparison(analyses);
  return {
    tables: [
      ...(nonMatches === undefined ? [] : [{ name: "non_match", block: nonMatches }]),
      ...(matches === undefined ? [] : [{ name: "match", block: matches }]),
    ],
    notes: [
      sentence(
        "CL and SI fail at either difficulty; at least one: of the probes the example was asked. ✗: there the model does " +
          "not bind letters to options, so that failing says nothing of comprehension.",
      ),
    ],
    isWide: false,
  };
}

/**
 * Perplexity and 5-gram accuracy of the audits (paper, Table 4).
 * @throws ProbeError `bad_input` without a folder of a finished audit
 */
export async function contaminationSet({ others }: PageRequest): Promise<TableSet> {
  if (others.length === 0) {
    throw badInput(
      "Expected the folder of an audit for --table contamination, found none. Make one: probe audit --model M",
    );
  }
  const audits = [];
  for (const folder of others) audits.push(await readAuditReport(folder));
  return { tables: [{ name: "contamination", block: contaminationTable(audits) }], notes: [], isWide: false };
}
