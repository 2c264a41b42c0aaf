import type { PageRequest, SuitePage } from "../../../run/suite.js";
import { proportion } from "../../../stats/interval.js";
import type { RealityFact } from "../../../verdict/verdict.js";
import { pagePart } from "../report/html/page.js";
import type { PageParts } from "../report/html/page-parts.js";
import { readPageParts } from "../report/html/read-parts.js";

/** What code review questions, and audits of them, put on the page of a report. */
export async function reviewPage({ runs, others: audits, datasets }: PageRequest): Promise<SuitePage> {
  const parts = await readPageParts({ runs, audits, datasets });
  return {
    part: await pagePart(parts),
    runs: parts.data.models.map(({ verdicts }) => ({ ...verdicts, reality: [knownData(verdicts.model, parts)] })),
    notes: notesOf(parts),
    others: { audits: parts.audits.map(({ folder, audit }) => ({ audit_id: audit.audit_id, folder })) },
  };
}

/** Whether the model has seen the data before, as audits of it on the same page found. */
function knownData(model: string, { audits }: PageParts): RealityFact {
  const title = "texts that look memorised";
  const audit = audits.find((each) => each.audit.model.label === model)?.audit;
  const [own] = audit?.benchmarks ?? [];
  if (audit === undefined || own === undefined)
    return { title, share: null, state: "unknown", text: "not audited: probe audit, and its folder beside the run" };
  const found = audit.results.memorised.filter(({ benchmark }) => benchmark === own.name).length;
  const forms = audit.results.counts.find(({ benchmark }) => benchmark === own.name)?.forms ?? [];
  const scored = forms.reduce((sum, form) => sum + form.scored, 0);
  const text = `${found} of ${scored} texts of ${own.name}`;
  return { title, share: proportion(found, scored), state: found === 0 ? "good" : "doubtful", text };
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
