// Makes datasets/starter.jsonl from the hand-written sources in datasets/starter/. `--check` only compares.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { hash32, seededIntegers } from "../dist/src/base/random.js";
import { diffHunk } from "../dist/src/dataset/hunk-diff.js";
import { LOCATION_WEIGHTS } from "../dist/src/distractors/location/location-features.js";
import { locationChoices } from "../dist/src/distractors/location/matched-locations.js";
import { Selection } from "../dist/src/distractors/selection/selection.js";
import { readSources } from "./starter-sources.mjs";

const SOURCES = "datasets/starter";
const TARGET = "datasets/starter.jsonl";
const TYPE = { add: "add_only", delete: "remove_only", modify: "modify" };

function exampleOf(lang, { name, sections }) {
  const before = sections.get("before");
  const diff = diffHunk(before, sections.get("after"));
  const review = sections.get("review").join("\n").trim();
  const hunk = { truth: diff.location, lines: before, changeType: diff.changeType, review };
  const locations = locationChoices(hunk, name, seededIntegers(hash32(name, 0)));
  if (locations === null) throw new Error(`${name}: too few lines for location distractors; make the hunk longer`);
  return { lang, name, sections, before, diff, review, locations };
}

function record({ lang, name, sections, before, diff, review }, easy, hard) {
  const solutionOf = (section) => diffHunk(before, sections.get(section)).solution;
  const type = TYPE[diff.changeType];
  return {
    id: name,
    lang,
    old: diff.old,
    new: diff.new,
    review,
    type_correct: type,
    type_wrong: Object.values(TYPE).filter((other) => other !== type),
    loc_correct: diff.location,
    loc_wrong_easy: easy,
    loc_wrong_hard: hard,
    ...(type !== "remove_only" && {
      solution_correct: diff.solution,
      solution_wrong_easy: [1, 2, 3].map((i) => solutionOf(`easy ${i}`)),
      solution_wrong_hard: [1, 2, 3].map((i) => solutionOf(`hard ${i}`)),
    }),
    source: "written for this project",
    license: "MIT",
  };
}

const examples = readdirSync(SOURCES)
  .filter((file) => file.endsWith(".txt"))
  .sort()
  .flatMap((file) => readSources(`${SOURCES}/${file}`).map((example) => exampleOf(file.replace(".txt", ""), example)));
const questions = examples.flatMap(({ locations: { easy, hard } }) => [easy, hard]);
const chosen = new Selection(LOCATION_WEIGHTS).choose(questions);
const wrong = (question) => questions[question].triples[chosen[question]];
const lines = examples.map((example, i) => `${JSON.stringify(record(example, wrong(2 * i), wrong(2 * i + 1)))}\n`);
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
