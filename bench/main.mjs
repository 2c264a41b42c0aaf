// npm run bench [-- NAME …]: each benchmark prints its method, its raw rounds and its ratios.
import { readdirSync } from "node:fs";

const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith(".bench.mjs"))
  .map((file) => file.replace(".bench.mjs", ""));
const wanted = process.argv.slice(2).filter((arg) => !arg.startsWith("-"));
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`Expected benchmarks out of ${names.join(", ")}, found ${unknown.join(", ")}.`);
  process.exit(2);
}
for (const name of wanted.length > 0 ? wanted : names) {
  console.log(`\n== ${name} ==`);
  const { run } = await import(`./${name}.bench.mjs`);
  await run(process.argv.slice(2).filter((arg) => arg.startsWith("-")));
}
process.exit(0);
