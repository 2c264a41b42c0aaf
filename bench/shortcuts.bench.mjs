// Measures what a build gives away: rules that are known, rules kept out of the selection, rules that are fitted.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { datasetFile, inspectDataset, readExamples } from "../dist/src/dataset/dataset-file.js";
import { buildDataset } from "../dist/src/distractors/build-dataset.js";
import { measureShortcuts } from "../dist/src/question/floors/shortcuts.js";

const METHOD = `Each file of reviews is built by \`paper\` and by \`matched\` without a surrogate (so \`paper\` has no SI questions), seed 0.
Of each form the share of questions that the best rule of a group finds: known no-read rules, rules that no option is
chosen by, no-read rules fitted and cross-validated, known lexical rules one by one, all rules fitted. Guessing: .25.
Processor time is that of the build. The starter set is read as reviews: its own options are made anew.`;

const OBSERVER = { onMessage: () => {}, onDownload: () => {}, onStart: () => {}, onExample: () => {} };

/** `--data FILE[,FILE]` of reviews (default: the starter set), `--limit N`. */
export async function run(flags = []) {
  const flag = (name) => flags.find((each) => each.startsWith(`--${name}=`))?.slice(name.length + 3);
  const limit = flag("limit") === undefined ? null : Number(flag("limit"));
  console.log(`${METHOD}\n`);
  console.log(
    "| reviews | method | form | n | known | kept out | fitted no-read | one lexical | fitted lexical | build, s |",
  );
  console.log("| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
  const folder = mkdtempSync(join(tmpdir(), "shortcuts-"));
  try {
    for (const input of (flag("data") ?? "starter").split(",")) {
      for (const method of ["paper", "matched"]) await measure(datasetFile(input), method, limit, folder);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function measure(input, method, limit, folder) {
  const out = join(folder, `${method}.jsonl`);
  const before = process.cpuUsage();
  const request = { input, out, method, limit, surrogate: null, seed: 0, clOrder: "sampled" };
  const choices = { skipInvalid: true, onlyComplete: false, needsReading: false, overwrite: true };
  await buildDataset({ request: { ...request, ...choices }, signal: new AbortController().signal, observer: OBSERVER });
  const { user, system } = process.cpuUsage(before);
  const { lines } = await inspectDataset(out);
  const report = await measureShortcuts(readExamples(out, new Set(lines)));
  for (const { task, difficulty, floors } of report.forms) {
    if (difficulty === null) continue;
    const kept = report.keptOut.find((form) => form.task === task && form.difficulty === difficulty);
    const best = (rules, isOf) => shareText(Math.max(...rules.filter(isOf).map(({ share }) => share.value)));
    const isFitted = ({ rule }) => rule.startsWith("fitted_");
    const cells = [
      best(floors.rules, (rule) => rule.sees !== "lexical" && !isFitted(rule)),
      best(kept?.floors.rules ?? [], () => true),
      best(floors.rules, ({ rule }) => rule === "fitted_no_read"),
      best(floors.rules, (rule) => rule.sees === "lexical" && !isFitted(rule)),
      best(floors.rules, ({ rule }) => rule === "fitted_lexical"),
    ];
    const seconds = ((user + system) / 1e6).toFixed(0);
    console.log(
      `| ${input.split("/").at(-1)} | ${method} | ${task} ${difficulty} | ${floors.n} | ${cells.join(" | ")} | ${seconds} |`,
    );
  }
}

function shareText(share) {
  return Number.isFinite(share) ? share.toFixed(2).replace(/^0/, "") : "–";
}
