import type { PageRequest, SuitePage } from "../../../run/suite-page.js";
import { knownData } from "../audit/known-audits.js";
import type { PageParts } from "../report/page/page-parts.js";
import { readPageParts } from "../report/page/page-parts.js";
import { pagePart } from "../report/page/report-page.js";

/** Part of a report's page about code review questions, and audits of them. */
export async function reviewPage({ runs, others: audits, datasets }: PageRequest): Promise<SuitePage> {
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
