// Makes datasets/starter.jsonl from the hand-written sources in datasets/starter/. `--check` only compares.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { hash32, seededIntegers } from "../dist/src/base/random.js";
import { DIFFICULTIES } from "../dist/src/dataset/example.js";
import { diffHunk } from "../dist/src/dataset/hunk-diff.js";
import { LOCATION_WEIGHTS } from "../dist/src/distractors/location/location-features.js";
import { locationChoices } from "../dist/src/distractors/location/matched-locations.js";
import { withMisses } from "../dist/src/distractors/near-miss/near-miss.js";
import { Selection } from "../dist/src/distractors/selection/selection.js";
import { readSources } from "./starter-sources.mjs";

const SOURCES = "datasets/starter";
const TARGET = "datasets/starter.jsonl";
const TYPE = { add: "add_only", delete: "remove_only", modify: "modify" };

function exampleOf(language, { name, sections }) {
  const before = sections.get("before");
  const after = sections.get("after");
  const diff = diffHunk(before, after);
  const review = sections.get("review").join("\n").trim();
  const hunk = { truth: diff.location, lines: before, changeType: diff.changeType, review };
  const locations = locationChoices(hunk, name, seededIntegers(hash32(name, 0)));
  if (locations === null) throw new Error(`${name}: too few lines for location distractors; make the hunk longer`);
  const triple = { id: name, language, preReviewLines: before, postReviewLines: after, review };
  return { triple, diff, locations, solutions: solutionsOf(triple, diff, sections) };
}

/** The wrong revisions of the sources; `null` for a deletion. */
function solutionsOf({ id, preReviewLines }, diff, sections) {
  if (diff.changeType === "delete") return null;
  const after = sections.get("after").join("\n");
  const wrongOf = (difficulty) => {
    const edits = (sections.get(difficulty) ?? []).map((line) => editOf(line, after, id));
    return [1, 2, 3].map((option) => {
      const own = edits.filter(({ options }) => options.includes(option));
      if (own.length === 0)
        throw new Error(`${id}: expected edits of three ${difficulty} revisions, found none of ${option}`);
      return diffHunk(preReviewLines, withMisses(after, [{ edits: own }]).split("\n")).solution;
    });
  };
  return { easy: wrongOf("easy"), hard: wrongOf("hard") };
}

/** Wrong revisions that an edit is of: near misses a and b make a square with the right one. */
const OPTIONS = { a: [1, 3], b: [2, 3], 1: [1], 2: [2], 3: [3] };
const EDIT = /^([ab123]) (\d+):(\d+) ("(?:[^"\\]|\\.)*") ("(?:[^"\\]|\\.)*")$/;

/** An edit of the right revision: `a LINE:COLUMN "from" "to"`. */
function editOf(line, after, id) {
  const [, name, row, column, from, to] = EDIT.exec(line) ?? [];
  if (name === undefined) throw new Error(`${id}: expected an edit, found ${line}`);
  const lines = after.split("\n").slice(0, row - 1);
  const start = lines.reduce((sum, { length }) => sum + length + 1, 0) + Number(column) - 1;
  const end = start + JSON.parse(from).length;
  if (after.slice(start, end) !== JSON.parse(from)) throw new Error(`${id}: ${from} is not at ${row}:${column}`);
  return { options: OPTIONS[name], start, end, to: JSON.parse(to) };
}

function record({ triple, diff }, locations, solutions) {
  const type = TYPE[diff.changeType];
  return {
    id: triple.id,
    lang: triple.language,
    old: diff.old,
    new: diff.new,
    review: triple.review,
    type_correct: type,
    type_wrong: Object.values(TYPE).filter((other) => other !== type),
    loc_correct: diff.location,
    loc_wrong_easy: locations.easy,
    loc_wrong_hard: locations.hard,
    ...(solutions !== null && {
      solution_correct: diff.solution,
      solution_wrong_easy: solutions.easy,
      solution_wrong_hard: solutions.hard,
    }),
    source: "written for this project",
    license: "MIT",
  };
}

/** The chosen of each question's choices, by example: `{easy, hard}`, or `null` where there is nothing to choose. */
async function chosenBy(selection, choices, wrongIn) {
  const questions = choices.flatMap((own) => (own === null ? [] : DIFFICULTIES.map((difficulty) => own[difficulty])));
  const indices = new Map((await selection.choose(questions)).map((index, i) => [questions[i], index]));
  const wrong = (choice) => wrongIn(choice, indices.get(choice));
  return choices.map((own) => own && { easy: wrong(own.easy), hard: wrong(own.hard) });
}

const sources = readdirSync(SOURCES)
  .filter((file) => file.endsWith(".txt"))
  .sort()
  .flatMap((file) => readSources(`${SOURCES}/${file}`).map((source) => [file.replace(".txt", ""), source]));
const examples = [];
for (const [language, source] of sources) examples.push(exampleOf(language, source));

const locations = await chosenBy(
  new Selection(LOCATION_WEIGHTS),
  examples.map((example) => example.locations),
  ({ triples }, index) => triples[index],
);
const lines = examples.map((example, i) => `${JSON.stringify(record(example, locations[i], example.solutions))}\n`);
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
