import { randomBytes } from "node:crypto";
import type { Language } from "../../base/language.js";
import { type DrawInteger, shuffled } from "../../base/random.js";
import { languageOfFile } from "../../base/source-path.js";
import { loadSyntax, type Syntax } from "../../syntax/load.js";
import type { CodeText } from "../bench-task.js";
import { type Edit, type Expectation, edited, outermost } from "./expectation.js";
import { javascriptExpectations } from "./javascript-expectations.js";
import { pythonExpectations } from "./python-expectations.js";
import { drawVariants } from "./turned-literals.js";

/** An expectation of a test as a question: which of its copies hold? */
export interface LineUpQuestion {
  readonly path: string;
  readonly test: string;
  /** Its number among the expectations of the files, from 0: the same in every draw. */
  readonly number: number;
  /** A digit a copy: 1 for the one that is not turned. */
  readonly right: string;
  /** Set where it was tried until it held: where no copy holds any more, that says nothing. */
  readonly isLater?: true;
}

/** Tests whose expectations stand among copies of them that were turned, and what is right of each. */
export interface Sheet {
  /** Nothing of what is right is in them. */
  readonly files: readonly CodeText[];
  readonly questions: readonly LineUpQuestion[];
}

/**
 * Wording of a question in a language: `name` is a function that no code knows, `value` the value that is looked at.
 */
interface Dialect {
  readonly find: (syntax: Syntax, code: string) => Expectation[];
  readonly ask: (asked: { name: string; number: number; subject: string; value: string; copies: string[] }) => string;
  readonly asking: (name: string, answers: string) => string;
}

const JAVASCRIPT: Dialect = {
  find: javascriptExpectations,
  ask: ({ name, number, subject, value, copies }) =>
    `${name}(${number}, ${subject}, (${value}) => [${copies.map((copy) => `() => (${copy})`).join(", ")}])`,
  asking: (name, answers) => `
;function ${name}_held(value, copies) {
  return copies(value).map((copy) => { try { copy(); return 1; } catch { return 0; } });
}
function ${name}(number, value, copies) {
  ${name}_told(number, ${name}_held(value, copies));
}
function ${name}_later(number, look, copies) {
  try { ${name}_told(number, ${name}_held(look(), copies)); } catch {}
}
async function ${name}_awaited(number, value, copies) {
  const held = [];
  for (const copy of copies(value)) held.push(await Promise.resolve().then(copy).then(() => 1, () => 0));
  ${name}_told(number, held);
}
function ${name}_told(number, held) {
  process.getBuiltinModule("node:fs").appendFileSync(${JSON.stringify(answers)}, number + " " + held.join("") + "\\n");
  if (!held.includes(1)) throw new Error("no expectation holds");
}
`,
};

const PYTHON: Dialect = {
  find: pythonExpectations,
  ask: ({ name, number, subject, value, copies }) =>
    `${name}(${number}, (${subject}), lambda ${value}: [${copies.map((copy) => `lambda: (${copy})`).join(", ")}])`,
  asking: (name, answers) => `

def ${name}(number, value, copies):
    held = ""
    for copy in copies(value):
        try:
            holds = copy()
            held += "1" if holds is None or bool(holds) else "0"
        except BaseException:
            held += "0"
    with open(${JSON.stringify(answers)}, "a") as answers:
        answers.write(f"{number} {held}\\n")
    if "1" not in held:
        raise AssertionError("no expectation holds")
`,
};

const STATEMENT = { before: ";", behind: ";" };
const IN_PLACE = { before: "", behind: "" };

const DIALECTS: Partial<Record<Language, Dialect>> = { javascript: JAVASCRIPT, python: PYTHON };

/** Tests if the tests of a file can be asked. */
export function canBeAsked({ path }: Pick<CodeText, "path">): boolean {
  const language = languageOfFile(path);
  return language !== null && DIALECTS[language] !== undefined;
}

/**
 * Draws a sheet: every expectation stands among copies whose texts, numbers and truths are others, or that say the contrary,
 * in random order. Code that is tested reads all of it, and can tell the right copy only by being right.
 * @param answers the file that answers are written to, as tests see it
 */
export async function drawSheet(tests: readonly CodeText[], answers: string, draw: DrawInteger): Promise<Sheet> {
  const files: CodeText[] = [];
  const questions: LineUpQuestion[] = [];
  for (const { path, text } of tests) {
    const language = languageOfFile(path);
    const dialect = language === null ? undefined : DIALECTS[language];
    if (language === null || dialect === undefined) continue;
    const name = `q${randomBytes(8).toString("hex")}`;
    const edits: Edit[] = [];
    for (const expectation of outermost(dialect.find(await loadSyntax(language), text))) {
      const number = questions.length;
      const { copies, right } = copiesOf(expectation, text, `${name}_value`, draw);
      const { test, place, isLater } = expectation;
      const asked = { ...calledFor(expectation, text, name), number, value: `${name}_value`, copies };
      const { before, behind } = expectation.sighting ?? (isLater ? STATEMENT : IN_PLACE);
      edits.push({ start: place.start, end: place.end, text: before + dialect.ask(asked) + behind });
      questions.push({ path, test, number, right, ...(isLater && { isLater }) });
    }
    const whole = edited(text, { start: 0, end: text.length }, edits);
    files.push({ path, text: whole + dialect.asking(name, answers) });
  }
  return { files, questions };
}

/** The function that asks, and what it is to look at. */
function calledFor({ subject, isAwaited, isLater }: Expectation, text: string, name: string) {
  const looked = subject === null ? "0" : text.slice(subject.start, subject.end);
  if (isLater) return { name: `${name}_later`, subject: `() => (${looked})` };
  return { name: isAwaited ? `${name}_awaited` : name, subject: looked };
}

/** Copies of an expectation, and which of them hold. */
function copiesOf(
  expectation: Expectation,
  text: string,
  value: string,
  draw: DrawInteger,
): { readonly copies: string[]; readonly right: string } {
  const { code, subject, literals, most, sighting, wording = [] } = expectation;
  if (sighting !== undefined) return { copies: ["1"], right: "1" };
  const looked = subject === null ? [] : [{ start: subject.start, end: subject.end, text: value }];
  const copy = (edits: readonly Edit[]) => edited(text, code, [...looked, ...wording, ...edits]);
  if (literals.length === 0) {
    const drawn = shuffled(contraries(expectation, draw), draw);
    return { copies: drawn.map(({ edits }) => copy(edits)), right: drawn.map(({ holds }) => holds).join("") };
  }
  const { copies, right } = drawVariants(literals, most, draw);
  return {
    copies: copies.map((texts) => copy(literals.map(({ start, end }, i) => ({ start, end, text: texts[i] ?? "" })))),
    right: copies.map((_, i) => (i === right ? "1" : "0")).join(""),
  };
}

/** An expectation without literals, and what it says of anything else: a value that is equal to everything gives itself away. */
function contraries({ contrary, compared }: Expectation, draw: DrawInteger) {
  const own = [
    { edits: [], holds: 1 },
    { edits: contrary, holds: 0 },
  ];
  if (compared === null) return own;
  const other = { start: compared.start, end: compared.end, text: JSON.stringify(`v${draw(0, 0x7fffffff)}`) };
  return [...own, { edits: [other], holds: 0 }, { edits: [...contrary, other], holds: 1 }];
}
