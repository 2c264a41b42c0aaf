import { printable } from "../../../../base/text.js";
import type { BuildOutcome } from "../../build/build-dataset.js";
import { outputPaths } from "../../build/build-result.js";
import { countsText, funnelText } from "./funnel-text.js";

type CompleteBuild = Extract<BuildOutcome, { readonly status: "complete" }>;

/** What `probe dataset build` prints: what became of the examples, and of the questions about those that were kept. */
export function buildText({ result, warning }: CompleteBuild, out: string, seconds: number): string {
  const { examples, questions } = result;
  const { explanations, description } = outputPaths(out);
  const rows = Object.entries(questions).flatMap(([task, { kept, drops }]) => [
    [task, kept] as const,
    ...drops.map(({ reason, counts }) => [`  no ${task}: ${reason}`, counts] as const),
  ]);
  return [
    `Examples\n${funnelText(examples)}`,
    `Questions about them (CL and SI: one easy and one hard each)\n${countsText(rows)}`,
    ...(warning === null ? [] : [`${warning}\n`]),
    `Records: ${printable(out, 1000)}`,
    `How each SI distractor came to be: ${printable(explanations, 1000)}`,
    `What was built from what: ${printable(description, 1000)}`,
    `Took ${seconds.toFixed(1)} s. No program can tell that a distractor is wrong: look at them before you trust the numbers.\n` +
      `  probe dataset review ${printable(out, 1000)} --annotator NAME\n`,
  ].join("\n");
}
