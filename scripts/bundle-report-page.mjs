// Puts the modules of the report page's script together into one file: the page may load nothing, so that it opens from
// disk. Each module becomes a function of a small registry, in the order in which they need each other.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import ts from "typescript";

const ENTRY = "dist/src/suites/codereviewqa/report/html/page/app.js";
const OUT = "dist/report-page.js";

/** The entry's modules by name, those that are needed first. */
function collect(path, found) {
  if (found.has(path)) return;
  const source = readFileSync(path, "utf8");
  const needed = new Map();
  for (const [, name] of source.matchAll(/^(?:import|export)\b[^;]*?\bfrom "(\.[^"]+)";$/gm)) {
    needed.set(name, join(dirname(path), name));
  }
  for (const module of needed.values()) collect(module, found);
  found.set(path, { source, needed });
}

function asFunction(path, { source, needed }) {
  const options = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022, removeComments: true };
  let { outputText } = ts.transpileModule(source, { compilerOptions: options });
  for (const [name, module] of needed) {
    outputText = outputText.replaceAll(`require("${name}")`, `modules[${JSON.stringify(nameOf(module))}]`);
  }
  if (/\brequire\(/.test(outputText))
    throw new Error(`${path}: expected only modules of the page, found another import.`);
  const body = outputText.replace(/^\/\/# sourceMappingURL=.*$/m, "").trim();
  return `modules[${JSON.stringify(nameOf(path))}] = {};\n((exports) => {\n${body}\n})(modules[${JSON.stringify(nameOf(path))}]);`;
}

function nameOf(path) {
  return relative("dist/src", path);
}

const modules = new Map();
collect(ENTRY, modules);
const parts = [...modules].map(([path, module]) => asFunction(path, module));
const script = `(() => {\nconst modules = {};\n${parts.join("\n")}\n})();\n`;
if (/<\/script|<!--/i.test(script)) throw new Error("Expected a script that can stand in a page, found a tag in it.");
writeFileSync(OUT, script);
