import type { Block } from "../../../../../report/block.js";
import { leaderboardMethod, leaderboardTable, titleOf } from "../../../../../report/leaderboard-blocks.js";
import { lead, sentence } from "../../../../../report/make-block.js";
import type { BlockSection } from "../../../../../report/page-section.js";
import type { LeaderboardTable } from "../../../../../verdict/leaderboard.js";
import { failureComparison } from "../../failure-comparison.js";
import { failureTables } from "../../failures.js";
import type { PageParts } from "../page-parts.js";
import { changeTypeBlocks, languageBlocks } from "./groups.js";

/** Where models fail: by probe where they do not write the right revision (paper, Table 3), by language, by change type. */
export function failingSection(parts: PageParts): BlockSection {
  return {
    id: "failures",
    title: "Where does it fail?",
    blocks: [...analysis(parts), ...languages(parts), ...changeTypeBlocks(parts)],
  };
}

function analysis({ failures }: PageParts): Block[] {
  if (failures.length === 0) {
    return [lead("What fails where the revision is wrong needs ACR beside every probe: --task ACR,CTR,CL,SI.")];
  }
  return [
    lead(
      "Of the examples whose generated revision does not match: how many fail a probe, that is, are not right under all " +
        "its orders. Beside it those that match: success without comprehension.",
    ),
    ...failureComparison(failures),
    {
      kind: "details",
      summary: "Every probe, with intervals; and step by step: CTR → CL → SI → ACR",
      blocks: failures.flatMap(failureTables),
    },
  ];
}

/** The paper's Tables 7–12 in form. */
function languages(parts: PageParts): Block[] {
  const boards = parts.leaderboards.filter(({ form }) => form.ablation === "none");
  if (boards.every(({ groups }) => groups.length < 2)) return [];
  const tables = boards.map((table) => leaderboardTable(table, captionOf(table)));
  return [
    {
      kind: "details",
      summary: "By language, a table a probe (as the paper's Tables 7 to 12)",
      blocks: [
        sentence(leaderboardMethod(boards)),
        { kind: "group", layout: "board", blocks: tables },
        ...languageBlocks(parts),
      ],
    },
  ];
}

function captionOf(table: LeaderboardTable): string {
  return `${titleOf(table)}${table.form.paperTable === null ? "" : `, as ${table.form.paperTable}`}`;
}
