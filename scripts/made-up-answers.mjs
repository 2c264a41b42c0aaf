// Answers of made-up models to the starter set, for pictures and trials of the report: each knows a share of the answers,
// by task, and leans to a letter. Deterministic. Says so in its name: nobody asked a model.
import { readFileSync } from "node:fs";

/** Share of answers that a model knows, by form; its lean to A where it does not (nats). */
export const MADE_UP_MODELS = {
  "made-up-72b": { ACR: 0.46, CTR: 0.93, "CL easy": 0.71, "CL hard": 0.6, "SI easy": 0.9, "SI hard": 0.82, bias: 0.4 },
  "made-up-14b": { ACR: 0.4, CTR: 0.86, "CL easy": 0.52, "CL hard": 0.38, "SI easy": 0.74, "SI hard": 0.6, bias: 0.8 },
  "made-up-7b": { ACR: 0.33, CTR: 0.78, "CL easy": 0.27, "CL hard": 0.2, "SI easy": 0.6, "SI hard": 0.48, bias: 1.2 },
  "made-up-1b": { ACR: 0.12, CTR: 0.74, "CL easy": 0.02, "CL hard": 0.01, "SI easy": 0.08, "SI hard": 0.05, bias: 5 },
};

const FORMS = [
  ["CTR", null, 3],
  ["CL", "easy", 4],
  ["CL", "hard", 4],
  ["SI", "easy", 4],
  ["SI", "hard", 4],
];

/** All orders of `0123`, lexicographic. */
function ordersOf(rest, prefix = "") {
  return rest === "" ? [prefix] : [...rest].flatMap((digit) => ordersOf(rest.replace(digit, ""), prefix + digit));
}

/** A number in 0–1 that follows from a text (FNV-1a, mixed). */
function chance(text) {
  let hash = 2166136261;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16777619);
  hash = Math.imul(hash ^ (hash >>> 16), 2246822507);
  hash = Math.imul(hash ^ (hash >>> 13), 3266489909);
  return ((hash ^ (hash >>> 16)) >>> 0) / 4294967296;
}

function logprobsOf(model, skill, id, permutation) {
  // Ease of a question for all; then this model's own talent.
  const ease = chance(`${id} ease`) * 0.6 + chance(`${model} ${id}`) * 0.4;
  const pull = (skill - ease) * 14;
  const logits = [...permutation].map((option, i) => {
    const known = option === "0" ? pull : 0;
    return known + (i === 0 ? MADE_UP_MODELS[model].bias : 0) + chance(`${model} ${id} ${permutation} ${i}`) * 1.4;
  });
  const total = Math.log(logits.reduce((sum, logit) => sum + Math.exp(logit), 0)) + 0.02;
  return Object.fromEntries(logits.map((logit, i) => ["ABCD"[i], Number((logit - total).toFixed(4))]));
}

/** The lines of an answer file (`--model scripted:FILE`). */
export function madeUpAnswers(model, dataset = "datasets/starter.jsonl") {
  const skills = MADE_UP_MODELS[model];
  const records = readFileSync(dataset, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  return records.flatMap((record) => {
    const code = (text) =>
      text
        .split("\n")
        .map((line) => line.slice(1))
        .join("\n");
    const isRight = chance(`${record.id} ease`) * 0.6 + chance(`${model} ${record.id} ACR`) * 0.4 < skills.ACR;
    const answers = FORMS.flatMap(([task, difficulty, options]) => {
      if (task === "SI" && record.solution_correct === undefined) return [];
      const skill = skills[difficulty === null ? task : `${task} ${difficulty}`];
      return ordersOf("0123".slice(0, options)).map((permutation) => {
        const logprobs = logprobsOf(model, skill, `${record.id} ${task} ${difficulty}`, permutation);
        return { task, difficulty, example_id: record.id, permutation, logprobs };
      });
    });
    const completion = `${code(isRight ? record.new : record.old)}\n`;
    return [{ task: "ACR", example_id: record.id, completion }, ...answers].map((line) => JSON.stringify(line));
  });
}
