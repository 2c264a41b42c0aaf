import { type Console, EXIT, type ExitCode, jsonText } from "../../console/console.js";
import { requireWritable } from "../../console/output-file.js";
import { findDrop } from "../../dataset/curate/review-filter.js";
import { datasetFile } from "../../dataset/dataset-file.js";
import { type Funnel, FunnelCounter, totalOf } from "../../dataset/funnel.js";
import type { TripleLine } from "../../dataset/triple.js";
import type { Block } from "../../report/block.js";
import { sentence } from "../../report/make-block.js";
import { showBlocks } from "../../report/terminal.js";
import { LineWriter, writeAtomically } from "../../store/atomic-write.js";
import type { FilterValues } from "./dataset-options.js";
import { funnelTable } from "./funnel-table.js";
import { reviewLines } from "./review-lines.js";

/** `probe dataset filter`: writes what the heuristics keep, and explains the rest. */
export async function handleFilter(values: FilterValues, console: Console): Promise<ExitCode> {
  const { out, drops, overwrite, skipInvalid, json } = values;
  const file = datasetFile(values.in);
  const outputs = [
    { option: "out", path: out },
    { option: "drops", path: drops },
  ];
  await requireWritable(outputs, { inputs: [file], overwrite });
  const lines = reviewLines(file, { skip: skipInvalid, warn: (text) => console.err(`${text}\n`) });
  const funnel = await writeFiltered(lines, out, drops);
  if (json) console.out(jsonText({ file, out, drops, funnel }));
  else showBlocks(console, summary(funnel, out, drops), "err");
  return EXIT.done;
}

/** Both files appear together, when the last line has been read without an error. */
async function writeFiltered(lines: AsyncIterable<TripleLine>, out: string, drops: string | null): Promise<Funnel> {
  const counter = new FunnelCounter();
  await writeAtomically(out, async (appendKept) => {
    const filterInto = (appendDrop: (text: string) => Promise<void>) =>
      filterLines(lines, new LineWriter(appendKept), new LineWriter(appendDrop), counter);
    if (drops === null) await filterInto(async () => {});
    else await writeAtomically(drops, filterInto);
  });
  return counter.funnel();
}

async function filterLines(
  lines: AsyncIterable<TripleLine>,
  kept: LineWriter,
  dropped: LineWriter,
  counter: FunnelCounter,
): Promise<void> {
  for await (const line of lines) {
    const drop = findDrop(line);
    if (drop !== null) {
      counter.drop(drop.language ?? "other", drop.reason);
      await dropped.write(JSON.stringify(drop));
    } else if (line.status === "valid") {
      counter.keep(line.triple.language);
      await kept.write(line.text);
    }
  }
  await kept.flush();
  await dropped.flush();
}

function summary(funnel: Funnel, out: string, drops: string | null): Block[] {
  return [
    funnelTable(funnel),
    sentence(`Kept ${totalOf(funnel.kept)} of ${totalOf(funnel.read)} reviews: ${out}`),
    ...(drops === null ? [] : [sentence(`Every drop with its reason: ${drops}`)]),
  ];
}
