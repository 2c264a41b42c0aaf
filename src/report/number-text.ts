import type { Interval, NumberFormat, Quantity } from "./block.js";

/** What stands for a number that is not defined or was not measured. */
export const DASH = "–";

const MINUS = "−";

const SIGNED: ReadonlySet<NumberFormat> = new Set(["change", "points_change", "coefficient_change"]);

/** A number with its interval: `75.0 % (30.1–95.4)`, `+25.0 pp (−2.1 to +48.0)`; a dash where there is none. */
export function quantityText({ value, format, interval }: Quantity): string {
  if (value === null) return DASH;
  const text = numberText(value, format);
  return interval == null ? text : `${text} (${intervalText(interval, format)})`;
}

/** Bounds as `30.1–95.4`, in the unit of what they belong to; with words between them where one may be negative. */
export function intervalText({ low, high }: Interval, format: NumberFormat): string {
  const plain = format === "fraction" ? "points" : format === "change" ? "points_change" : format;
  const between = SIGNED.has(format) || low < 0 ? " to " : DASH;
  return `${numberText(low, plain)}${between}${numberText(high, plain)}`;
}

/** A number in its format; `null`: a dash. */
export function numberText(value: number | null, format: NumberFormat): string {
  return value === null ? DASH : WRITERS[format](value).replace(/^-/, MINUS);
}

const WRITERS: Readonly<Record<NumberFormat, (value: number) => string>> = {
  count: (value) => value.toLocaleString("en-US"),
  fraction: (value) => `${fixed(value * 100, 1)} %`,
  change: (value) => `${signed(value * 100, 1)} pp`,
  size: (value) => `${fixed(value * 100, 1)} pp`,
  points: (value) => fixed(value * 100, 1),
  points_change: (value) => signed(value * 100, 1),
  coefficient: (value) => fixed(value, 3),
  coefficient_change: (value) => signed(value, 3),
  pvalue: (value) => (value < 0.0001 ? "<0.0001" : value.toFixed(4)),
  perplexity: (value) => (value >= 1e5 ? value.toExponential(2) : value.toFixed(2)),
  nats: natsText,
  short: (value) => (Number.isInteger(value) ? String(value) : fixed(value, 1)),
  ratio: (value) => fixed(value, 2),
};

function natsText(value: number): string {
  const text = fixed(value, 4);
  return value !== 0 && Math.abs(Number(text)) < 0.001 ? value.toExponential(1) : value === 0 ? "0" : text;
}

/** What rounds to 0 has no sign. */
function fixed(value: number, digits: number): string {
  const text = value.toFixed(digits);
  return Number(text) === 0 ? text.replace("-", "") : text;
}

function signed(value: number, digits: number): string {
  const text = fixed(value, digits);
  return Number(text) === 0 || value < 0 ? text : `+${text}`;
}
