// node accuracy.mjs results.json: invariant and mean accuracy of every model and form of `promptfoo eval -o results.json`.
import { readFileSync } from "node:fs";
import { asked, orderCount } from "./orders.mjs";

const { results } = JSON.parse(readFileSync(process.argv[2] ?? "results.json", "utf8"));
const forms = new Map();
for (const { provider, vars, success, response } of results.results) {
  const name = `${typeof provider === "string" ? provider : provider?.label || provider?.id} ${vars.form}`;
  const questions = forms.get(name) ?? new Map();
  forms.set(name, questions);
  const answers = questions.get(vars.question) ?? { orders: orderCount(asked(vars)), right: new Map() };
  questions.set(vars.question, answers);
  // An answer that failed is none.
  if (response !== undefined && response !== null && !response.error) answers.right.set(vars.order, success === true);
}
const mean = (values) => (values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length);
for (const [name, questions] of forms) {
  const all = [...questions.values()].map(({ orders, right }) => {
    const share = mean([...right.values()].map(Number));
    return { isWhole: right.size === orders, share };
  });
  const whole = all.filter(({ isWhole }) => isWhole);
  const invariant = mean(all.map(({ isWhole, share }) => Number(isWhole && share === 1)));
  const row = { name, invariant_accuracy: invariant, mean_accuracy: mean(whole.map(({ share }) => share)) };
  process.stdout.write(`${JSON.stringify(row)}\n`);
}
