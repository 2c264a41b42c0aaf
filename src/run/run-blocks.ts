import type { Block } from "../report/block.js";
import { heading, notice, sentence } from "../report/make-block.js";
import { type Markdown, renderMarkdownPart } from "../report/markdown.js";
import type { ScoredRun } from "./score-folder.js";

/** What a person reads at the end of a run: of which model, what it came to, and where it is. */
export function runBlocks({ run, folder, score }: ScoredRun): Block[] {
  return [
    sentence([run.model.label, ...score.facts].join(" · ")),
    ...warnings(score.verdicts.warnings),
    ...score.blocks,
    sentence(`Results: ${folder}`),
  ];
}

/** Likewise for the page of a GitHub job. */
export function runMarkdown({ run, score }: ScoredRun): Markdown {
  return renderMarkdownPart([
    heading(2, `probe: ${run.model.label}`),
    sentence([...score.facts, `run ${run.run_id}`].join(" · ")),
    ...warnings(score.verdicts.warnings),
    ...score.blocks,
  ]);
}

function warnings(texts: readonly string[]): Block[] {
  return texts.map((text) => notice("bad", text));
}
