import type { Block } from "../../../../../report/block.js";
import { heading, lead } from "../../../../../report/make-block.js";
import type { BlockSection } from "../../../../../report/page-section.js";
import { numberBlocks } from "../../audit/audit.js";
import { methodBlock } from "../../audit/audit-differences.js";
import { memorisedBlocks, troubleNotices } from "../../audit/audit-findings.js";
import { formNumbers } from "../../audit/audit-numbers.js";
import type { AuditReport } from "../../data/audit-report.js";
import type { PageParts } from "../page-parts.js";

const MAX_MEMORISED = 50;

/** The tables of audits (paper §8, Table 4); `null` without any. */
export function contaminationSection({ audits }: PageParts): BlockSection | null {
  if (audits.length === 0) return null;
  return {
    id: "contamination",
    title: "Contamination",
    blocks: [
      lead(
        "How well the model knows the texts of the benchmark before it is asked anything (paper §8): perplexity, and the " +
          "share of 5-grams that it continues word for word. Low perplexity and many hits, compared with another benchmark " +
          "or with renamed code, suggest that it has seen them.",
      ),
      ...audits.flatMap(auditBlocks),
    ],
  };
}

function auditBlocks({ audit, summary }: AuditReport): Block[] {
  return [
    heading(3, audit.model.label),
    ...numberBlocks(formNumbers(summary), audit.benchmarks[0]?.name ?? ""),
    ...memorisedBlocks(audit, MAX_MEMORISED),
    ...troubleNotices(audit),
    { kind: "details", summary: "How it was measured", blocks: [methodBlock(audit)] },
  ];
}
