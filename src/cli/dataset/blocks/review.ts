import type { Block } from "../../../report/block.js";
import { sentence } from "../../../report/make-block.js";
import type { ReviewSummary } from "../../../review/review-session.js";

/** What a review says when it ends. */
export function reviewBlocks(
  { kept, dropped, undecided, questions }: ReviewSummary,
  file: string,
  savedTo: string,
): Block[] {
  const count = dropped.reduce((sum, drop) => sum + drop.count, 0);
  const reasons = dropped.map((drop) => `${drop.reason.replaceAll("_", " ")} ${drop.count}`).join(", ");
  const drops = count === 0 ? "0 dropped" : `${count} dropped (${reasons})`;
  const rest = undecided === 0 ? "all decided" : `${undecided} undecided; the same command goes on`;
  const byReason = questions.map((drop) => `${drop.reason.replaceAll("_", " ")} ${drop.count}`).join(", ");
  return [
    sentence(),
    sentence(`${kept} kept, ${drops}; ${rest}.`),
    ...(questions.length > 0 ? [sentence(`Questions dropped by themselves: ${byReason}.`)] : []),
    sentence(`Saved in ${savedTo}`),
    sentence(`What it leaves: probe dataset apply ${file} ${savedTo} --out FILE`),
  ];
}
