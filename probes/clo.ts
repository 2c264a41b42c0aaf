import { changeTypePhrase, commonStem } from "../src/question/prompt.js";
import type { GenerationProbe, TextRule, TextScore } from "../src/question/question.js";

/**
 * Change localisation without options (ours, after 'answer matching', arXiv 2507.02856): the model writes the line numbers
 * itself. Beside CL it shows what the options give away.
 */
export const probe: GenerationProbe = {
  kind: "generation",
  task: "CLO",
  title: "change localisation without options",
  order: 50,
  promptSet: "probe",
  isEligible: () => true,
  stem: (example) => ({ ...commonStem(example), change_type: changeTypePhrase(example.changeType) }),
  reference: ({ location }) => location.join(","),
  preReview: ({ preReviewLines }) => preReviewLines.join("\n"),
  stop: () => ["\n"],
  maxTokens: 128,
  scoring: {
    graded: { name: "jaccard", title: "Jaccard", note: "lines in both sets / lines in either" },
    exact: "exactly the lines that the review means",
    score: scoreLines,
    rules: rules(),
  },
};

/**
 * The lines of an answer, each once: whole numbers with commas between them, blanks around each, one line end behind the
 * last. `null` for anything else: nothing is picked out of a sentence.
 */
export function parseLines(text: string): ReadonlySet<number> | null {
  if (!/^ *\d{1,9} *(, *\d{1,9} *)*(\r?\n)?$/.test(text)) return null;
  return new Set(text.split(",").map(Number));
}

/** The exact set, and |both| / |either| (Jaccard). */
function scoreLines(text: string, reference: string): TextScore | null {
  const [written, right] = [parseLines(text), parseLines(reference)];
  if (written === null || right === null) return null;
  const both = [...written].filter((line) => right.has(line)).length;
  const either = written.size + right.size - both;
  return { em: both === either, graded: both / either };
}

/** Rules that are right now and then without reading the review. */
function rules(): TextRule[] {
  return [
    { name: "longest_line", text: "always the longest line", writer: () => longestLine },
    { name: "middle_line", text: "always the middle line", writer: () => (code) => middleLines(code, 1) },
    {
      name: "commonest_size",
      text: "as many lines as is commonest, in the middle",
      writer: (references) => {
        const size = commonestSize(references);
        return (code) => middleLines(code, size);
      },
    },
  ];
}

/** The longest line, without indentation; the first of equals. */
function longestLine(code: string): string {
  const lengths = code.split("\n").map((line) => line.trim().length);
  return String(lengths.indexOf(Math.max(...lengths)) + 1);
}

/** A run of so many lines with as many before it as behind, or one more behind; all lines where there are fewer. */
function middleLines(code: string, size: number): string {
  const lines = code.split("\n").length;
  const first = Math.max(0, Math.floor((lines - size) / 2)) + 1;
  return Array.from({ length: Math.min(size, lines) }, (_, i) => first + i).join(",");
}

/** The size that most answers have; the smallest of equals. */
function commonestSize(references: readonly string[]): number {
  const counts = new Map<number, number>();
  for (const reference of references) {
    const size = parseLines(reference)?.size ?? 1;
    counts.set(size, (counts.get(size) ?? 0) + 1);
  }
  const [commonest] = [...counts].sort(([a, m], [b, n]) => n - m || a - b);
  return commonest?.[0] ?? 1;
}
