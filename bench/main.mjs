// npm run bench [-- NAME …]: each benchmark prints its method, its raw rounds and its ratios.
import { readdirSync } from "node:fs";

const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith(".bench.mjs"))
  .map((file) => file.replace(".bench.mjs", ""));
// `--name value` is `--name=value` wherever the value is no benchmark.
const given = process.argv.slice(2);
const isValue = (arg, i) => !arg.startsWith("-") && !names.includes(arg) && /^--[^=]+$/.test(given[i - 1] ?? "");
const flags = given.flatMap((arg, i) => {
  if (!arg.startsWith("-")) return [];
  const next = given[i + 1];
  return [next !== undefined && isValue(next, i + 1) ? `${arg}=${next}` : arg];
});
const wanted = given.filter((arg, i) => !arg.startsWith("-") && !isValue(arg, i));
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`Expected benchmarks out of ${names.join(", ")}, found ${unknown.join(", ")}.`);
  process.exit(2);
}
for (const name of wanted.length > 0 ? wanted : names) {
  console.log(`\n== ${name} ==`);
  const { run } = await import(`./${name}.bench.mjs`);
  await run(flags);
}
process.exit(0);
