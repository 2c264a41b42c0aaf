// Makes datasets/starter.jsonl from the hand-written sources in datasets/starter/. `--check` only compares.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { hash32, seededIntegers } from "../dist/src/base/random.js";
import { DIFFICULTIES } from "../dist/src/dataset/example.js";
import { diffHunk } from "../dist/src/dataset/hunk-diff.js";
import { LOCATION_WEIGHTS } from "../dist/src/distractors/location/location-features.js";
import { locationChoices } from "../dist/src/distractors/location/matched-locations.js";
import { readRevision } from "../dist/src/distractors/near-miss/revision.js";
import { nearMissesOf, solutionChoices, solutionParts } from "../dist/src/distractors/near-miss/solution-choices.js";
import { SOLUTION_WEIGHTS, solutionFeatures } from "../dist/src/distractors/near-miss/solution-features.js";
import { Selection } from "../dist/src/distractors/selection/selection.js";
import { readSources } from "./starter-sources.mjs";

const SOURCES = "datasets/starter";
const TARGET = "datasets/starter.jsonl";
const TYPE = { add: "add_only", delete: "remove_only", modify: "modify" };

async function exampleOf(language, { name, sections }) {
  const before = sections.get("before");
  const after = sections.get("after");
  const diff = diffHunk(before, after);
  const review = sections.get("review").join("\n").trim();
  const hunk = { truth: diff.location, lines: before, changeType: diff.changeType, review };
  const locations = locationChoices(hunk, name, seededIntegers(hash32(name, 0)));
  if (locations === null) throw new Error(`${name}: too few lines for location distractors; make the hunk longer`);
  const triple = { id: name, language, preReviewLines: before, postReviewLines: after, review };
  return { triple, diff, locations, solutions: await solutionsOf(triple, diff, sections) };
}

/** Squares to choose from, or revisions written by hand where the sources have them; `null` for a deletion. */
async function solutionsOf(triple, diff, sections) {
  if (diff.changeType === "delete") return null;
  if (sections.has("hard 1")) {
    const byHand = (difficulty) =>
      [1, 2, 3].map((i) => diffHunk(triple.preReviewLines, sections.get(`${difficulty} ${i}`)).solution);
    return { byHand: { easy: byHand("easy"), hard: byHand("hard") } };
  }
  const revision = await readRevision(triple, diff);
  const choices = solutionChoices(nearMissesOf(revision), revision, triple, 0);
  if (choices === null) throw new Error(`${triple.id}: no two pairs of near misses; write easy and hard revisions`);
  return { choices };
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
function chosenBy(selection, choices, wrongIn) {
  const questions = choices.flatMap((own) => (own === null ? [] : DIFFICULTIES.map((difficulty) => own[difficulty])));
  const indices = new Map(selection.choose(questions).map((index, i) => [questions[i], index]));
  const wrong = (choice) => wrongIn(choice, indices.get(choice));
  return choices.map((own) => own && { easy: wrong(own.easy), hard: wrong(own.hard) });
}

const sources = readdirSync(SOURCES)
  .filter((file) => file.endsWith(".txt"))
  .sort()
  .flatMap((file) => readSources(`${SOURCES}/${file}`).map((source) => [file.replace(".txt", ""), source]));
const examples = [];
for (const [language, source] of sources) examples.push(await exampleOf(language, source));

const locations = chosenBy(
  new Selection(LOCATION_WEIGHTS),
  examples.map((example) => example.locations),
  ({ triples }, index) => triples[index],
);
const selection = new Selection(SOLUTION_WEIGHTS);
for (const { triple, diff, solutions } of examples) {
  for (const difficulty of solutions?.byHand ? DIFFICULTIES : []) {
    const view = { ...triple, solutions: [diff.solution, ...solutions.byHand[difficulty]] };
    selection.enter({ parts: solutionParts(difficulty, triple.id) }, solutionFeatures(view));
  }
}
const squares = chosenBy(
  selection,
  examples.map(({ solutions }) => solutions?.choices ?? null),
  ({ squares: own }, index) => own[index].solutions.slice(1),
);
const lines = examples.map((example, i) => {
  const solutions = example.solutions?.byHand ?? squares[i];
  return `${JSON.stringify(record(example, locations[i], solutions))}\n`;
});
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
