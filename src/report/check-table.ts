import Table from "cli-table3";
import { printable } from "../base/text.js";
import type { CheckedWay, CheckReport } from "../model/check/report.js";

const STATUS: Readonly<Record<CheckedWay["status"], string>> = {
  works: "works",
  refused: "REFUSED",
  not_offered: "not offered",
  not_tried: "not tried",
};
const NOTE_WIDTH = 70;

/** What `probe models check` prints. */
export function checkText(label: string, report: CheckReport): string {
  const table = new Table({
    head: ["way", "extraction", "result", "right", "letter mass", "repeats to", "notes"],
    style: { head: [], border: [], compact: true },
    colWidths: [null, null, null, null, null, null, NOTE_WIDTH],
    wordWrap: true,
  });
  for (const { way, extraction, status, notes, measures } of report.ways) {
    table.push([
      way,
      extraction,
      STATUS[status],
      measures === null ? "" : `${measures.right} of 4`,
      measures === null ? "" : measures.symbolMass.toFixed(4),
      measures === null ? "" : `${measures.repeatDifference.toExponential(0)} nats`,
      notes.map((note) => printable(note, 400)).join("; "),
    ]);
  }
  const server = Object.entries(report.server).map(([name, value]) => `${name} ${printable(String(value))}`);
  const lines = [
    [printable(label), ...report.endpoints.map((url) => printable(url)), ...server].join(" · "),
    table.toString(),
    conclusion(report),
  ];
  return `${lines.join("\n")}\n`;
}

function conclusion({ chosen, forced }: CheckReport): string {
  if (chosen === null) return "No way works: this model is refused (--force asks it all the same).";
  return forced
    ? `FORCED: answers would be taken by ${chosen}, which the check refuses.`
    : `Answers are taken by: ${chosen}.`;
}
