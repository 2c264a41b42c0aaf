import type { ScoreMark } from "../verdict/judgement.js";
import type { Block, Cell } from "./block.js";

/** The blocks with a mark before every number of some columns, in all their tables. */
export function markColumns(blocks: readonly Block[], ids: ReadonlySet<string>, mark: ScoreMark): Block[] {
  return blocks.map((block) => {
    if (block.kind === "details" || block.kind === "group")
      return { ...block, blocks: markColumns(block.blocks, ids, mark) };
    if (block.kind !== "table") return block;
    const cells = (row: readonly Cell[]): Cell[] =>
      row.map((cell, i) =>
        cell.kind === "number" && ids.has(block.columns[i]?.id ?? "") ? { ...cell, badge: mark } : cell,
      );
    const { rows, references, ...table } = block;
    return { ...table, rows: rows.map(cells), ...(references && { references: references.map(cells) }) };
  });
}
