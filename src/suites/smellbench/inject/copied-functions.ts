import { type DrawInteger, shuffled } from "../../../base/random.js";
import type { Declaration } from "../../../syntax/declarations.js";
import { type Candidate, editsBy } from "./candidate.js";
import { type Code, type CodeFile, indentAt, ownsLines, textAt } from "./code-file.js";

const LEAST_LINES = 3;
const MOST_LINES = 60;

/** Words that a copy's name ends with. */
const WORDS = ["Draft", "Former", "Plain", "Spare", "Variant"];
/** Languages whose names are joined by underscores. */
const SNAKE = new Set(["python", "ruby", "c"]);

/** Dead code: copies of functions below what they copy, under names that nobody calls. */
export function copiedFunctions({ files, others }: Code, draw: DrawInteger): Candidate[] {
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
