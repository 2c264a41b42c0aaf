import type { BuildOutcome } from "../../../distractors/build-dataset.js";
import { outputPaths } from "../../../distractors/build-files.js";
import type { Block } from "../../../report/block.js";
import { notice, sentence } from "../../../report/make-block.js";
import { countsTable, funnelTable } from "./funnel.js";

type CompleteBuild = Extract<BuildOutcome, { readonly status: "complete" }>;

/** What `probe dataset build` shows: what became of the examples, and of the questions about those that were kept. */
export function buildBlocks({ result, warning }: CompleteBuild, out: string, seconds: number): Block[] {
  const { examples, questions } = result;
  const { explanations, description } = outputPaths(out);
  const rows = Object.entries(questions).flatMap(([task, { kept, drops }]) => [
    [task, kept] as const,
    ...drops.map(({ reason, counts }) => [`  no ${task}: ${reason}`, counts] as const),
  ]);
  const facts = {
    Records: out,
    "How each SI distractor came to be": explanations,
    "What was built from what": description,
  };
  return [
    funnelTable(examples, "Examples"),
    countsTable(rows, "Questions about them (CL and SI: one easy and one hard each)"),
    { kind: "facts", facts: Object.entries(facts).map(([name, path]) => ({ name, parts: [path] })) },
    ...(warning === null ? [] : [notice("warning", warning)]),
    sentence(
      `Took ${seconds.toFixed(1)} s. No program can tell that a distractor is wrong: look at them before you trust the numbers.`,
    ),
    { kind: "list", items: [[{ kind: "code", text: `probe dataset review ${out} --annotator NAME` }]] },
  ];
}
