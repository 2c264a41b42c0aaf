import { type DrawInteger, shuffled } from "../../../base/random.js";
import { counted } from "../../../base/text.js";
import type { Declaration } from "../../../syntax/declarations.js";
import { loadSyntax } from "../../../syntax/load.js";
import type { CodeText } from "../../../trial/bench-task.js";
import { DIFFICULTIES, type INJECTED } from "../smell-case.js";
import { type Candidate, type Code, type CodeFile, edited, editsBy, indentAt, ownsLines, textAt } from "./code-file.js";
import { inlinedFunctions } from "./inlined-functions.js";
import { unfoldedObjects } from "./unfolded-objects.js";
import { widenedTypes } from "./widened-types.js";
import { writtenOutConstants } from "./written-out-constants.js";

type Injected = (typeof INJECTED)[number];

/** Places for each smell. */
const FINDERS: Readonly<Record<Injected, (code: Code, draw: DrawInteger) => readonly Candidate[]>> = {
  dead_code_elimination: copiedFunctions,
  shotgun_surgery: writtenOutConstants,
  data_clumps: unfoldedObjects,
  interface_segregation: widenedTypes,
  deeply_inlined_method: inlinedFunctions,
};

/** Smell put into files. */
export interface Injection extends Omit<Candidate, "key" | "edits"> {
  /** Files as they are with it. */
  readonly files: readonly CodeText[];
  /** Keys of what it is made of. */
  readonly keys: readonly string[];
}

/**
 * Draws a smell of a repository in as many files as a difficulty asks for: one that is spread over them by itself, else
 * several of a kind in files of their own. A decision that is written in several files is one.
 * @param taken keys that are not used again
 * @returns `null`: there is none
 */
export async function drawSmell(
  smell: Injected,
  difficulty: (typeof DIFFICULTIES)[number],
  code: Code,
  taken: ReadonlySet<string>,
  draw: DrawInteger,
): Promise<Injection | null> {
  const isOne = smell === "shotgun_surgery";
  const least = DIFFICULTIES.indexOf(difficulty) + 1 + Number(isOne);
  const found = shuffled(FINDERS[smell](code, draw), draw).filter(({ key }) => !taken.has(key));
  const spread = found.find(({ edits }) => edits.size >= least);
  const drawn = spread === undefined ? (isOne ? [] : severalOf(found, least)) : [spread];
  const [main] = drawn;
  if (main === undefined) return null;
  const edits = new Map(drawn.flatMap((each) => [...each.edits]));
  const files: CodeText[] = [];
  for (const file of code.files.filter(({ path }) => edits.has(path))) {
    const text = edited(file.text, edits.get(file.path) ?? []);
    if (text === null || !(await parsesAsWell(file, text)))
      return drawSmell(smell, difficulty, code, new Set([...taken, main.key]), draw);
    files.push({ path: file.path, text });
  }
  const { place, targeted } = main;
  const others = drawn.length - 1;
  const guided = others === 0 ? main.guided : `${main.guided} So it is in ${counted(others, "other files")}.`;
  return { files, place, guided, targeted, keys: drawn.map(({ key }) => key) };
}

/** Candidates in files of their own until there are enough; none where there are too few. */
function severalOf(found: readonly Candidate[], least: number): Candidate[] {
  const drawn: Candidate[] = [];
  const paths = new Set<string>();
  for (const each of found) {
    if (paths.size >= least) break;
    if ([...each.edits.keys()].some((path) => paths.has(path))) continue;
    drawn.push(each);
    for (const path of each.edits.keys()) paths.add(path);
  }
  return paths.size >= least ? drawn : [];
}

async function parsesAsWell({ language, text: before }: CodeFile, text: string): Promise<boolean> {
  const syntax = await loadSyntax(language);
  return syntax.parse(text).errors <= syntax.parse(before).errors;
}

const LEAST_LINES = 3;
const MOST_LINES = 60;

/** Words that a copy's name ends with. */
const WORDS = ["Draft", "Former", "Plain", "Spare", "Variant"];
/** Languages whose names are joined by underscores. */
const SNAKE = new Set(["python", "ruby", "c"]);

/** Dead code: copies of functions below what they copy, under names that nobody calls. */
function copiedFunctions({ files, others }: Code, draw: DrawInteger): Candidate[] {
  const whole = [...files, ...others].map(({ text }) => text).join("\n");
  return files.flatMap((file) =>
    copiable(file).flatMap((copied): Candidate[] => {
      const name = newName(copied.name, file, draw);
      if (whole.includes(name)) return [];
      const owner = copied.within.at(-1) ?? null;
      return [
        {
          key: `${file.path}:${copied.name}:${copied.start}`,
          edits: editsBy([[file, { start: copied.end, end: copied.end, replacement: copyOf(file, copied, name) }]]),
          place: [file.path, owner, name],
          guided: `In ${file.path} there is code that nothing reaches.`,
          targeted: `In ${file.path} nothing calls \`${name}\`${owner === null ? "" : ` of \`${owner}\``}.`,
        },
      ];
    }),
  );
}

/** Functions that stand on lines of their own, and are no constructors. */
function copiable(file: CodeFile): Declaration[] {
  const { language, text, declarations } = file;
  return declarations.filter(({ kind, name, within, start, end }) => {
    const own = text.slice(start, end);
    const lines = own.split("\n").length;
    const isPlain = ownsLines(text, { start, end });
    const isWhole = language !== "javascript" || /^(?:export )?(?:async )?function\b/.test(own) || within.length > 0;
    const isMade = name === within.at(-1) || /^(?:constructor|__\w+__|initialize|main|init)$/.test(name);
    const isNamed = /^[A-Za-z_]\w*$/.test(name) && kind === "function" && !isMade;
    return isNamed && isPlain && isWhole && lines >= LEAST_LINES && lines <= MOST_LINES;
  });
}

function newName(name: string, { language }: CodeFile, draw: DrawInteger): string {
  const [word = ""] = shuffled(WORDS, draw);
  return SNAKE.has(language) ? `${name}_${word.toLowerCase()}` : `${name}${word}`;
}

/** Copy of a function under another name, indented alike. */
function copyOf(file: CodeFile, copied: Declaration, name: string): string {
  const own = textAt(file, copied).replace(/^export (?:default )?/, "");
  const copy = own.replace(new RegExp(`\\b${copied.name}\\b`, "g"), name);
  const indent = indentAt(file.text, copied.start);
  return `${file.language === "python" && indent === "" ? "\n\n\n" : "\n\n"}${indent}${copy}`;
}
