import { printable } from "../../../../base/text.js";
import type { ReviewSummary } from "../../curate/review/session.js";

/** What a review says when it ends. */
export function reviewSummaryText({ kept, dropped, undecided }: ReviewSummary, savedTo: string): string {
  const count = dropped.reduce((sum, drop) => sum + drop.count, 0);
  const reasons = dropped.map((drop) => `${drop.reason.replaceAll("_", " ")} ${drop.count}`).join(", ");
  const drops = count === 0 ? "0 dropped" : `${count} dropped (${reasons})`;
  const rest = undecided === 0 ? "all decided" : `${undecided} undecided; the same command goes on`;
  return `\n${kept} kept, ${drops}; ${rest}.\nSaved in ${printable(savedTo, 1000)}\n`;
}
