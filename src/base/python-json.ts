/** A number of a JSON text with a point or an exponent, or one of those that JSON has not: Python tells these from whole ones. */
export class PythonFloat {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

/** Strings, one without an end too, which would be looked for from each of its quotes; and numbers that Python reads as they stand. */
const TOKENS = /"(?:[^"\\]|\\.)*(?:"|\\?$)|-?Infinity|NaN|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/gs;
const FLOAT = /^(?:-?Infinity|NaN)$|[.eE]/;
const MARK = "\0float:";

/**
 * Reads JSON as Python's `json.loads` does: `NaN` and `Infinity` are numbers, and 1.0 is not 1.
 * @throws SyntaxError where Python raises `JSONDecodeError`
 */
export function parsePythonJson(text: string): unknown {
  const marked = text.replace(TOKENS, (token) =>
    token.startsWith('"') || !FLOAT.test(token) ? token : JSON.stringify(MARK + token),
  );
  return JSON.parse(marked, (key, value: unknown) => {
    if (key.startsWith(MARK)) throw new SyntaxError(`Expected a text as the name of a member, found ${key}.`);
    return typeof value === "string" && value.startsWith(MARK)
      ? new PythonFloat(Number(value.slice(MARK.length)))
      : value;
  });
}

/** Text of a value as Python's `str` gives it, as far as words and small numbers go; lists and objects are in brackets. */
export function pythonText(value: unknown): string {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (value instanceof PythonFloat) return floatText(value.value);
  return typeof value === "object" ? `[${JSON.stringify(value)}]` : String(value);
}

function floatText(value: number): string {
  const text = Object.is(value, -0) ? "-0" : String(value);
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
}

/** A text without the blanks around it that Python's `str.strip` takes away. */
export function pythonStrip(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && BLANK.test(text.charAt(start))) start++;
  // An expression would begin anew at each blank within the text.
  while (end > start && BLANK.test(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

const BLANKS = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const BLANK = new RegExp(`[${BLANKS}]`);
