/** A chart, by what it shows. */
export type Chart = IntervalsChart | LettersChart | MarginsChart | FrontChart | CurveChart;

/** A line of a chart: one model. */
export interface ChartSeries {
  /** Short enough for an axis; empty where there is but one. */
  readonly label: string;
  /** A colour of the page's style. */
  readonly color: string;
  /** Tells lines apart where colours do not. */
  readonly symbol: ChartSymbol;
}

/** A mark of a chart. */
export type ChartSymbol = "circle" | "square2" | "triangle2" | "diamond2" | "star" | "wye" | "cross" | "plus";

const SYMBOLS: readonly ChartSymbol[] = ["circle", "square2", "triangle2", "diamond2", "star", "wye", "cross", "plus"];

/** Colours that the page's style has for models: `--c1` … */
const COLORS = 8;

/** More models than this no chart keeps apart: the others are in the tables alone. */
const MAX_CHARTED = 12;

/** Look of each model in charts, by their names: of the first ones, no two labels the same. */
export function chartSeries(names: readonly string[]): ChartSeries[] {
  const charted = names.slice(0, MAX_CHARTED);
  const labels = shortLabels(charted);
  return charted.map((name, i) => ({
    label: labels[i] ?? name,
    color: `var(--c${(i % COLORS) + 1})`,
    symbol: SYMBOLS[i % SYMBOLS.length] ?? "circle",
  }));
}

/** Whole names, without provider and folder where that leaves them apart, numbered if they still agree. */
export function shortLabels(names: readonly string[]): string[] {
  const bare = names.map((name) => name.replace(/^[a-z]+:(?=.)/, "").replace(/^.*[/\\](?=.)/, ""));
  const taken = new Set<string>();
  return names.map((name, i) => {
    const short = bare[i] ?? name;
    const whole = bare.filter((other) => other === short).length === 1 ? short : name;
    let label = whole;
    for (let k = 2; taken.has(label); k++) label = `${whole} ${k}`;
    taken.add(label);
    return label;
  });
}

/** A fraction 0–1 with its interval; `null` where not measured. */
interface ChartValue {
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
  /** A score that means nothing. */
  readonly floor: number | null;
  /** Mean over the orders of the options: what the score would be if steadiness did not count; absent: no such number. */
  readonly mean?: number | null;
}

/** Dots with their intervals, floors as ticks: a row a group, a line a series. */
interface IntervalsChart {
  readonly type: "intervals";
  readonly points: readonly IntervalPoint[];
}

export interface IntervalPoint extends ChartValue {
  /** Name of the chart's row, such as a language. */
  readonly row: string;
  readonly series: ChartSeries;
}

/** Shares by letter, a block a series. */
interface LettersChart {
  readonly type: "letters";
  readonly shares: readonly LetterShare[];
  /** Value without bias; `null`: no such line. */
  readonly even: number | null;
}

/** Share of the answers that chose a letter. */
export interface LetterShare {
  readonly series: ChartSeries;
  readonly letter: string;
  /** `null` where there is nothing to take a share of. */
  readonly share: number | null;
}

/** Scores against costs, a dot a series; the front is of those that no other is both cheaper than and better. */
export interface FrontChart {
  readonly type: "front";
  readonly points: readonly FrontPoint[];
  /** Meaning of a cost, with its unit. */
  readonly costLabel: string;
}

/** A model of it. */
export interface FrontPoint {
  readonly series: ChartSeries;
  /** Above 0, in the unit of the label. */
  readonly cost: number;
  /** A fraction 0–1. */
  readonly score: number;
}

/** Rates along parts of equal size, a line a series. */
export interface CurveChart {
  readonly type: "curve";
  readonly curves: readonly { readonly series: ChartSeries; readonly values: readonly number[] }[];
  /** Meaning of the parts. */
  readonly label: string;
}

/** Margins of answers, nats: right ones on wrong ones; what is above the end stands in the last bar. */
interface MarginsChart extends MarginSet {
  readonly type: "margins";
  readonly end: number;
  /** The highest share of the answers that a bar of any of the charts beside it has. */
  readonly top: number;
}

/** Margins of a set of answers. */
export interface MarginSet {
  readonly right: Float64Array;
  readonly wrong: Float64Array;
}
