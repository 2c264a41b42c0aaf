import { lead } from "../../../../../report/make-block.js";
import type { BlockSection } from "../../../../../report/page-section.js";
import { failureTables } from "../../failures.js";
import type { PageParts } from "../page-parts.js";

/** Where models fail that do not write the right revision (paper §7); `null` without ACR and every probe. */
export function failureSection({ failures }: PageParts): BlockSection | null {
  if (failures.length === 0) return null;
  return {
    id: "failures",
    title: "Failure analysis",
    blocks: [
      lead(
        "Of the examples whose generated revision does not match: how many fail a probe, that is, are not right under all " +
          "its orders (paper §7, Table 3). Beside it those that match: success without comprehension.",
      ),
      ...failures.flatMap(failureTables),
    ],
  };
}
