// Measures how often `--until decided` decides wrongly, and how much it leaves unasked.

import { seededIntegers } from "../dist/src/base/random.js";
import { inspectDataset, readExamples } from "../dist/src/dataset/dataset-file.js";
import { floorsOfForm } from "../dist/src/question/floors/floors.js";
import { floorsOfExamples } from "../dist/src/question/floors/rules.js";
import { loadProbes } from "../dist/src/question/probes.js";
import { isChoiceForm, probeForms } from "../dist/src/question/question-build.js";
import { rivalsOf } from "../dist/src/suites/codereviewqa/metric/form-judgement.js";
import { decidedState } from "../dist/src/verdict/rung.js";

const METHOD = `Of the bundled questions of CL hard, 300 are drawn with replacement a run, in random order; readers of four
abilities answer them under 24 orders; the run is looked at after 10 questions, and each time 15 % more (10 at least) are
there. False: decided, and for another verdict than the ability has. The reader of words is right where the best rule of all
would be by its luck, so that its mean accuracy is exactly that rule's: whatever is decided of it is false.`;

const draw = seededIntegers(1);
const random = () => draw(0, 2 ** 30 - 1) / 2 ** 30;
const QUESTIONS = 300;
const ORDERS = 24;

/** `--runs N` an ability (default 1,000). */
export async function run(flags = []) {
  const runs = Number(flags.find((flag) => flag.startsWith("--runs="))?.slice(7) ?? 1000);
  console.log(METHOD);
  const { questions, ruled } = await form();
  const best = (rivals) => rivals.reduce((most, each) => (total(each) > total(most) ? each : most)).rule;
  const [noRead, all] = [best(ruled.noRead), best(ruled.all)];
  const bestShares = ruled.all.find(({ rule }) => rule === all).shares;
  const each = (right) => {
    let count = 0;
    for (let order = 0; order < ORDERS; order++) count += random() < right ? 1 : 0;
    return { mean: count / ORDERS, invariant: Number(count === ORDERS) };
  };
  const once = (right) => (random() < right ? { mean: 1, invariant: 1 } : { mean: 0, invariant: 0 });
  const abilities = [
    ["guesses every order", "at_floor", () => each(0.25)],
    [`as right as ${all}`, null, (question) => once(bestShares[question])],
    ["right in 60 % of the orders of every question", "unsteady", () => each(0.6)],
    ["knows 60 %, guesses the others", "above_floor", () => (random() < 0.6 ? { mean: 1, invariant: 1 } : each(0.25))],
  ];
  console.log(`\nbest rules: ${noRead} (no-read), ${all} (all)\n`);
  console.log("| reader | verdict | decided rightly | falsely | questions asked of 300 |");
  console.log("| --- | --- | ---: | ---: | ---: |");
  for (const [name, truth, answer] of abilities) {
    let [right, wrong, asked] = [0, 0, 0];
    for (let i = 0; i < runs; i++) {
      const { state, count } = race(questions, ruled, { noRead, all }, answer);
      asked += count;
      if (state === null) continue;
      if (state === truth) right++;
      else wrong++;
    }
    const percent = (count) => `${((100 * count) / runs).toFixed(1)} %`;
    console.log(
      `| ${name} | ${truth ?? "none"} | ${percent(right)} | ${percent(wrong)} | ${Math.round(asked / runs)} |`,
    );
  }
}

async function form() {
  const forms = probeForms([...(await loadProbes()).values()], ["hard"]).filter(
    (each) => isChoiceForm(each) && each.probe.task === "CL",
  );
  const file = "datasets/starter.jsonl";
  const { lines } = await inspectDataset(file);
  const found = [];
  for await (const { floors } of floorsOfExamples(readExamples(file, new Set(lines)), forms)) found.push(floors);
  const floors = floorsOfForm(found);
  return { questions: floors.questions.length, ruled: rivalsOf(floors, 4) };
}

function total({ shares }) {
  return shares.reduce((sum, share) => sum + share, 0);
}

function race(questions, ruled, best, answer) {
  const drawn = Array.from({ length: QUESTIONS }, () => draw(0, questions - 1));
  const answers = drawn.map(answer);
  for (let count = 10; ; count = Math.min(QUESTIONS, count + Math.max(10, Math.ceil(0.15 * count)))) {
    const asked = drawn.slice(0, count);
    const clusters = asked.map((_, i) => String(i));
    const measured = (key) => ({ values: answers.slice(0, count).map((each) => each[key]), clusters });
    const rules = (rivals, name) => ({
      rivals: rivals.map(({ rule, shares }) => ({ rule, shares: asked.map((question) => shares[question]) })),
      best: name,
    });
    const state = decidedState({
      mean: measured("mean"),
      invariant: measured("invariant"),
      noRead: rules(ruled.noRead, best.noRead),
      all: rules(ruled.all, best.all),
    });
    if (state !== null || count === QUESTIONS) return { state, count };
  }
}
