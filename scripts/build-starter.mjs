// Makes datasets/starter.jsonl from the hand-written sources in datasets/starter/. `--check` only compares.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { hash32, seededIntegers } from "../dist/src/base/random.js";
import { diffHunk } from "../dist/src/dataset/hunk-diff.js";
import { LocationBalance } from "../dist/src/distractors/location/location-balance.js";
import { matchedLocations } from "../dist/src/distractors/location/matched-locations.js";
import { readSources } from "./starter-sources.mjs";

const SOURCES = "datasets/starter";
const TARGET = "datasets/starter.jsonl";
const TYPE = { add: "add_only", delete: "remove_only", modify: "modify" };

/** Over the whole set, in the order of its records. */
const balance = new LocationBalance();

function record(lang, { name, sections }) {
  const before = sections.get("before");
  const diff = diffHunk(before, sections.get("after"));
  const hunk = { truth: diff.location, lines: before, changeType: diff.changeType };
  const wrong = matchedLocations(hunk, balance, seededIntegers(hash32(name, 0)));
  if (wrong.status !== "built")
    throw new Error(`${name}: too few lines for location distractors; make the hunk longer`);
  const solutionOf = (section) => diffHunk(before, sections.get(section)).solution;
  const type = TYPE[diff.changeType];
  return {
    id: name,
    lang,
    old: diff.old,
    new: diff.new,
    review: sections.get("review").join("\n").trim(),
    type_correct: type,
    type_wrong: Object.values(TYPE).filter((other) => other !== type),
    loc_correct: diff.location,
    loc_wrong_easy: wrong.easy,
    loc_wrong_hard: wrong.hard,
    ...(type !== "remove_only" && {
      solution_correct: diff.solution,
      solution_wrong_easy: [1, 2, 3].map((i) => solutionOf(`easy ${i}`)),
      solution_wrong_hard: [1, 2, 3].map((i) => solutionOf(`hard ${i}`)),
    }),
    source: "written for this project",
    license: "MIT",
  };
}

const lines = readdirSync(SOURCES)
  .filter((file) => file.endsWith(".txt"))
  .sort()
  .flatMap((file) => readSources(`${SOURCES}/${file}`).map((example) => record(file.replace(".txt", ""), example)))
  .map((entry) => `${JSON.stringify(entry)}\n`);
const text = lines.join("");

if (process.argv.includes("--check")) {
  if (readFileSync(TARGET, "utf8") !== text) {
    console.error(`${TARGET} is not what its sources make: run node scripts/build-starter.mjs`);
    process.exit(1);
  }
  console.log(`${TARGET}: fresh, ${lines.length} records`);
} else {
  writeFileSync(TARGET, text);
  console.log(`${TARGET}: ${lines.length} records`);
}
