// Measures how often verdicts are wrong: players that understand nothing, and readers that know a share of the answers.

import { seededIntegers } from "../dist/src/base/random.js";
import { inspectDataset, readExamples } from "../dist/src/dataset/dataset-file.js";
import { floorsOfForm, sharesOfRule, summariseFloors, wordGroupOf } from "../dist/src/question/floors/floors.js";
import { floorsOfExamples } from "../dist/src/question/floors/rules.js";
import { loadProbes } from "../dist/src/question/probes.js";
import { isChoiceForm, probeForms } from "../dist/src/question/question-build.js";
import { fitConditionalLogit, utility } from "../dist/src/stats/conditional-logit.js";
import { judgeChoices } from "../dist/src/suites/codereviewqa/metric/form-judgement.js";

const METHOD = `Players that understand nothing answer every question of every form, 500 times each with other luck (ties, orders).
Readers know a share of the answers of CL hard and guess the rest, always the same option or anew in every order; of the
bundled questions as many are drawn, with replacement, as the table says. Each is judged as a run is.`;

const SEED = 1;
const draw = seededIntegers(SEED);
const random = () => draw(0, 2 ** 30 - 1) / 2 ** 30;
const below = (n) => draw(0, n - 1);
const RUNGS = ["unreadable", "at_floor", "matches_words", "unsteady", "above_floor"];

/**
 * `--data FILE` (default: the bundled benchmark), `--players N` a kind and form (default 500), `--only players|power|words`,
 * `--named TEXT`: players whose names begin so.
 */
export async function run(flags = []) {
  const flag = (name) => flags.find((each) => each.startsWith(`--${name}=`))?.slice(name.length + 3);
  const file = flag("data") ?? "datasets/starter.jsonl";
  console.log(METHOD);
  const forms = await formsOf(file);
  const players = { count: Number(flag("players") ?? 500), named: flag("named") ?? "" };
  const isWanted = (table) => [undefined, table].includes(flag("only"));
  if (isWanted("players")) playersTable(file, forms, players);
  if (isWanted("words")) wordsTable(forms);
  if (isWanted("power")) powerTable(forms.find(({ name }) => name === "CL hard"));
}

async function formsOf(file) {
  const forms = probeForms([...(await loadProbes()).values()], ["easy", "hard"]).filter(isChoiceForm);
  const { lines } = await inspectDataset(file);
  const found = new Map();
  for await (const { floors, example } of floorsOfExamples(readExamples(file, new Set(lines)), forms)) {
    const name = [floors.task, floors.difficulty].filter(Boolean).join(" ");
    const optionCount = Object.values(floors.scores)[0].length;
    const form = found.get(name) ?? { name, optionCount, questions: [], examples: [] };
    form.questions.push(floors);
    form.examples.push(example);
    found.set(name, form);
  }
  return [...found.values()].map((form) => ({ ...form, floors: floorsOfForm(form.questions) }));
}

// A player gives each question the probability of its right option, or answers order by order.

function playersTable(file, forms, { count, named }) {
  console.log(
    `\n${file}: of ${count} players a kind and form, the share told each rung or a higher one (worst form in brackets)\n`,
  );
  console.log("| player | sees | `matches_words` | `unsteady` |\n| --- | --- | ---: | ---: |");
  const kinds = new Map();
  for (const form of forms) {
    for (const [name, { sees, play }] of playersOf(form)) {
      if (!name.startsWith(named)) continue;
      const states = Array.from({ length: count }, () => judge(form, play()).state);
      const least = (rung) => states.filter((state) => RUNGS.indexOf(state) >= RUNGS.indexOf(rung)).length / count;
      const rows = kinds.get(name) ?? { sees, forms: [] };
      rows.forms.push({ name: form.name, words: least("matches_words"), unsteady: least("unsteady") });
      kinds.set(name, rows);
    }
  }
  for (const [name, { sees, forms: own }] of kinds) {
    const cell = (key) => {
      const mean = own.reduce((sum, each) => sum + each[key], 0) / own.length;
      const worst = own.reduce((most, each) => (each[key] > most[key] ? each : most));
      return `${percent(mean)}${worst[key] > 0 ? ` (${worst.name} ${percent(worst[key])})` : ""}`;
    };
    console.log(`| ${name} | ${sees} | ${sees === "lexical" ? "–" : cell("words")} | ${cell("unsteady")} |`);
  }
}

function playersOf(form) {
  const { questions, optionCount, floors } = form;
  const orders = optionCount === 3 ? 6 : 24;
  const each = (score) => () => questions.map((_, i) => score(i));
  const letter = () => ({ right: orders / optionCount, top: orders / optionCount, invariant: false });
  const option = (right) => ({ right: right ? orders : 0, top: orders, invariant: right });
  /** `places(i)`: the probability of the right option under an order in which it stands first, and otherwise. */
  const byOrder = (first, other) => {
    let right = 0;
    for (let order = 0; order < orders; order++)
      right += random() < (order < orders / optionCount ? first : other) ? 1 : 0;
    // Agreement as guessing gives it: no player of this kind agrees more.
    return { right, top: Math.max(right, Math.ceil(orders / optionCount)), invariant: right === orders };
  };
  const players = new Map([
    ["uniform", { sees: "nothing", play: each(() => byOrder(1 / optionCount, 1 / optionCount)) }],
    ["always A", { sees: "nothing", play: each(letter) }],
    ["60 % A", { sees: "nothing", play: each(() => byOrder(0.6, 0.4 / (optionCount - 1))) }],
  ]);
  const group = summariseFloors(floors);
  for (const { rule, sees } of group.rules) {
    const shares = sharesOfRule(floors.questions, rule);
    players.set(rule, { sees, play: each((i) => option(random() < shares[i])) });
    const mixed = `${sees === "lexical" ? "lexical" : "no-read"} rules, half of the questions A`;
    const best = sees === "lexical" ? group.lexical : group.noRead;
    if (best.rule !== rule) continue;
    players.set(`best ${mixed}`, {
      sees,
      play: each((i) => (below(2) === 0 ? letter() : option(random() < shares[i]))),
    });
    players.set(`best ${mixed.replace("questions", "orders")}`, {
      sees,
      play: each((i) => {
        const right = random() < shares[i] ? 1 : 0;
        return byOrder((1 + right) / 2, right / 2);
      }),
    });
  }
  for (const lexical of [false, true]) {
    players.set(`${lexical ? "all" : "no-read"} rules fitted on other halves`, {
      sees: lexical ? "lexical" : "options+code",
      play: () => fittedPicks(form, lexical).map((share) => option(random() < share)),
    });
  }
  for (const [name, sees, rule] of [
    ["outside the floors: punctuation", "options+code", punctuation],
    ["outside the floors: fragments of the review", "lexical", fragments],
  ]) {
    const own = questions.map((question, i) => outside(question, form.examples[i], rule));
    players.set(name, { sees, play: each((i) => option(random() < own[i])) });
  }
  return players;
}

/** Each half by weights that were fitted on the other. */
function fittedPicks({ questions, optionCount }, lexical) {
  const rules = Object.keys(questions[0].scores).filter((rule) => lexical || questions[0].sees[rule] !== "lexical");
  const features = rules.length;
  const values = new Float64Array(questions.length * optionCount * features);
  for (const [i, { scores }] of questions.entries())
    for (const [k, rule] of rules.entries())
      for (let o = 0; o < optionCount; o++) values[(i * optionCount + o) * features + k] = scores[rule]?.[o] ?? 0;
  const spans = questions.map((_, i) => ({ start: i * optionCount, end: (i + 1) * optionCount }));
  const half = questions.map(() => below(2));
  const weights = [0, 1].map((side) =>
    fitConditionalLogit({ features, values, spans: spans.filter((_, i) => half[i] === side) }),
  );
  return spans.map(({ start }, i) => {
    const own = weights[1 - half[i]];
    const utilities = Array.from({ length: optionCount }, (_, o) =>
      Math.round(utility(values.subarray((start + o) * features, (start + o + 1) * features), own) * 1e9),
    );
    const top = Math.max(...utilities);
    return utilities[0] < top ? 0 : 1 / utilities.filter((each) => each === top).length;
  });
}

/** The probability that a rule of nobody's is right: by its score of an option's text; CTR by a question mark. */
function outside({ task, difficulty }, example, rule) {
  if (task === "CTR") return Number(example.changeType === (example.review.includes("?") ? "modify" : "add"));
  const scores = optionTexts(task, difficulty, example).map((text) => rule(text, example));
  const top = Math.max(...scores);
  return scores[0] < top ? 0 : 1 / scores.filter((each) => each === top).length;
}

/** Code that the options of a question show, the right one first. */
function optionTexts(task, difficulty, example) {
  if (task !== "CL") return [example.solution, ...example.solutionDistractors[difficulty]];
  const lines = [example.location, ...example.locationDistractors[difficulty]];
  return lines.map((own) => own.map((line) => example.preReviewLines[line - 1] ?? "").join("\n"));
}

function punctuation(text) {
  return (text.match(/[^\w\s]/g) ?? []).length / text.split("\n").length;
}

/** Different runs of four letters or digits that the review has too, a line: words in any form, and parts of words. */
function fragments(text, { review }) {
  const own = [...fourGrams(text)];
  const asked = fourGrams(review);
  return own.filter((gram) => asked.has(gram)).length / text.split("\n").length;
}

function fourGrams(text) {
  const plain = text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ");
  return new Set(Array.from({ length: Math.max(0, plain.length - 3) }, (_, i) => plain.slice(i, i + 4)));
}

function judge({ questions, optionCount, floors }, answers) {
  const permutations = optionCount === 3 ? 6 : 24;
  const scores = answers.map(({ right, top, invariant }, i) => ({
    exampleId: questions[i].exampleId,
    permutations,
    correctPermutations: right,
    invariantCorrect: invariant,
    meanAccuracy: right / permutations,
    pluralityAgreement: top / permutations,
    symbolCounts: new Map(),
  }));
  return judgeChoices({ optionCount, scores, floors });
}

/** Share right of players of words and of a reader, on all questions and where words fail. */
function wordsTable(forms) {
  console.log("\nShare right of all questions → of those that the fitted lexical rule gets wrong\n");
  console.log("| form | words fail | fitted lexical | another lexical rule | fragments of the review | reads 60 % |");
  console.log(`| --- | ---: |${" ---: |".repeat(4)}`);
  for (const form of forms) {
    const { questions } = form.floors;
    const fail = questions.map((question) => wordGroupOf(question) === "do_not_suffice");
    if (!fail.includes(true)) continue;
    const cell = (shares) => {
      const mean = (own) => percent(own.reduce((sum, share) => sum + share, 0) / own.length);
      return `${mean(shares)} → ${mean(shares.filter((_, i) => fail[i]))}`;
    };
    const lexical = summariseFloors(form.floors).rules.filter(
      ({ rule, sees }) => sees === "lexical" && rule !== "fitted_lexical",
    );
    const best = lexical.reduce((most, rule) => (rule.share.value > most.share.value ? rule : most));
    const cells = [
      sharesOfRule(questions, "fitted_lexical"),
      sharesOfRule(questions, best.rule),
      questions.map((_, i) => outside(form.questions[i], form.examples[i], fragments)),
      // Many readers at once, guessing one option where they do not know.
      questions.map(() => 0.6 + 0.4 / form.optionCount),
    ].map(cell);
    cells[1] += ` (${best.rule})`;
    console.log(`| ${form.name} | ${fail.filter(Boolean).length} of ${questions.length} | ${cells.join(" | ")} |`);
  }
}

function powerTable(form) {
  console.log("\nReaders of CL hard: share told `unsteady` or better / `above_floor`\n");
  const known = [0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];
  console.log(
    `| n | guesses | ${known.map((share) => `knows ${share}`).join(" | ")} |\n| ---: | --- |${" ---: |".repeat(known.length)}`,
  );
  for (const n of [50, 100, 200, 900]) {
    const questions = Array.from({ length: n }, (_, i) => ({
      ...form.questions[below(form.questions.length)],
      exampleId: `${i}`,
    }));
    const drawn = { ...form, questions, floors: floorsOfForm(questions) };
    for (const guesses of ["one option", "anew"]) {
      const cells = known.map((share) => {
        const readers = n > 500 ? 60 : 200;
        const states = Array.from(
          { length: readers },
          () =>
            judge(
              drawn,
              questions.map(() => reader(share, guesses)),
            ).state,
        );
        const least = (rung) => states.filter((state) => RUNGS.indexOf(state) >= RUNGS.indexOf(rung)).length / readers;
        return `${percent(least("unsteady"))} / ${percent(least("above_floor"))}`;
      });
      console.log(`| ${n} | ${guesses} | ${cells.join(" | ")} |`);
    }
  }
}

function reader(share, guesses) {
  if (random() < share) return { right: 24, top: 24, invariant: true };
  if (guesses === "one option") {
    const isRight = below(4) === 0;
    return { right: isRight ? 24 : 0, top: 24, invariant: isRight };
  }
  let right = 0;
  for (let order = 0; order < 24; order++) right += below(4) === 0 ? 1 : 0;
  return { right, top: Math.max(right, 8), invariant: right === 24 };
}

function percent(share) {
  return `${(100 * share).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`;
}
