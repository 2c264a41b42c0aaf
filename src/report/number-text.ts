import { shorten } from "../base/text.js";
import type { Interval, NumberFormat, Quantity } from "./block.js";

/** Sign for a number that is not defined or was not measured. */
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

/** A number with so many digits; one that rounds to 0 has no sign. */
function fixed(value: number, digits: number): string {
  const text = value.toFixed(digits);
  return Number(text) === 0 ? text.replace("-", "") : text;
}

function signed(value: number, digits: number): string {
  const text = fixed(value, digits);
  return Number(text) === 0 || value < 0 ? text : `+${text}`;
}

const UNITS = [
  { name: "d", seconds: 86_400 },
  { name: "h", seconds: 3_600 },
  { name: "min", seconds: 60 },
  { name: "s", seconds: 1 },
] as const;

/** A duration in its two largest units, rounded up: `45 s`, `3 min 5 s`, `2 h 10 min`, `1 d 3 h`. */
export function durationText(durationMs: number): string {
  const seconds = Math.ceil(durationMs / 1_000);
  const at = UNITS.findIndex((unit) => seconds >= unit.seconds);
  const [large, small] = UNITS.slice(at === -1 ? -1 : at);
  if (large === undefined || small === undefined) return `${seconds} s`;
  const inSmall = Math.ceil(seconds / small.seconds);
  const perLarge = large.seconds / small.seconds;
  const rest = inSmall % perLarge;
  return `${Math.floor(inSmall / perLarge)} ${large.name}${rest === 0 ? "" : ` ${rest} ${small.name}`}`;
}

/** An amount with its currency: cents, or two digits where it is less than one. */
export function money(amount: number, currency: string): string {
  const text = amount > 0 && amount < 0.01 ? amount.toPrecision(2) : amount.toFixed(2);
  return `${text} ${shorten(currency, 120)}`;
}
