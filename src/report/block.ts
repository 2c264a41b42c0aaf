/**
 * What a subject has to say, as data: presenters make blocks of results, renderers make text of blocks. A number stays a
 * number until a renderer writes it, so that it is written alike on a terminal, in Markdown and in HTML. No text in a block
 * is escaped: each renderer does that for its own format.
 */
export type Block =
  | HeadingBlock
  | TextBlock
  | TableBlock
  | ListBlock
  | CodeBlock
  | DetailsBlock
  | ChartBlock
  | GroupBlock;

/** What a reader should think of it at a glance. */
export type Tone = "plain" | "good" | "warning" | "bad";

/**
 * How a number is written.
 * - `count`: a whole number with thousands separated
 * - `fraction`: 0–1 with three digits, as a power of ten where those would all be 0
 * - `change`: likewise with its sign
 * - `percent`: a fraction as `45 %`; one decimal below 10 %
 * - `points`: a fraction in percent with one decimal, without the sign for percent (the head says it)
 * - `points_change`: likewise with its sign
 * - `pvalue`: four digits, or `<0.0001`
 * - `perplexity`: two decimals; a power of ten from 100,000
 * - `factor`: three decimals
 * - `nats`: four decimals; a power of ten below 0.001; 0 as it is
 * - `short`: whole numbers as they are, others with one decimal
 * - `ratio`: two decimals
 */
export type NumberFormat =
  | "count"
  | "fraction"
  | "change"
  | "percent"
  | "points"
  | "points_change"
  | "pvalue"
  | "perplexity"
  | "factor"
  | "nats"
  | "short"
  | "ratio";

/** Bounds in the unit of the value they belong to. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** A number, and how it is written. `null`: not defined or not measured; a dash. */
export interface Quantity {
  readonly value: number | null;
  readonly format: NumberFormat;
  readonly interval?: Interval | null;
}

/** A piece of a sentence: text as it is, a number, something to stress, or something to type. */
export type Inline =
  | string
  | Quantity
  | { readonly kind: "strong"; readonly text: string }
  | { readonly kind: "code"; readonly text: string };

export interface HeadingBlock {
  readonly kind: "heading";
  /** 1: of the document; 2: of a subject; 3: within one. */
  readonly level: 1 | 2 | 3;
  readonly text: string;
}

/** A sentence, or a few. */
export interface TextBlock {
  readonly kind: "text";
  readonly parts: readonly Inline[];
  readonly tone?: Tone;
}

/** The least important columns go first where a terminal is too narrow: 3, then 2; those of 1 stay. */
export type Importance = 1 | 2 | 3;

export interface Column {
  readonly id: string;
  readonly label: string;
  /** For where there is little room; without one, `label`. */
  readonly shortLabel?: string;
  readonly align: "left" | "right";
  readonly importance: Importance;
}

/** What stands in a cell. */
export type Cell = TextCell | NumberCell | PairCell | MissingCell;

export interface TextCell {
  readonly kind: "text";
  /** One line, or several. */
  readonly text: string | readonly string[];
  readonly tone?: Tone;
  /** What a table is sorted by, where that is not the text. */
  readonly sort?: number | null;
}

export interface NumberCell extends Quantity {
  readonly kind: "number";
  /** A name that the number belongs to, such as the commonest letter; before it. */
  readonly name?: string;
  /** What else is said of it, after it: such as the class of a majority floor, or a count and its total. */
  readonly note?: readonly Inline[];
  readonly tone?: Tone;
  /** The best of its column. */
  readonly isBest?: boolean;
}

/** Two numbers beside each other, such as of baseline and candidate. */
export interface PairCell {
  readonly kind: "pair";
  readonly first: Quantity;
  readonly second: Quantity;
}

/** Not measured, or not defined; a dash. `empty`: it does not apply; nothing. */
export interface MissingCell {
  readonly kind: "missing";
  readonly isEmpty?: boolean;
}

export interface TableBlock {
  readonly kind: "table";
  /** What the table is about; `null` where what stands before it says so. */
  readonly caption: string | null;
  readonly columns: readonly Column[];
  /** A cell a column, in their order. The first names the row. */
  readonly rows: readonly (readonly Cell[])[];
  /** Whether a page may offer to sort it. */
  readonly isSortable?: boolean;
}

export interface ListBlock {
  readonly kind: "list";
  readonly items: readonly (readonly Inline[])[];
}

/** Text of several lines that is shown as it is. */
export interface CodeBlock {
  readonly kind: "code";
  readonly text: string;
}

/** What a page folds away; elsewhere it is left out unless `isEverywhere`. */
export interface DetailsBlock {
  readonly kind: "details";
  readonly summary: string;
  readonly blocks: readonly Block[];
  readonly isEverywhere?: boolean;
}

/** Blocks that belong together: `row` side by side where there is room, `card` in a frame of their own. */
export interface GroupBlock {
  readonly kind: "group";
  readonly layout: "row" | "card";
  readonly blocks: readonly Block[];
  readonly tone?: Tone;
}

/** A picture, as its data; where there are no pictures, its text alternative or nothing. */
export interface ChartBlock {
  readonly kind: "chart";
  readonly title: string;
  /** The numbers in words, for those who cannot see it. */
  readonly description: string;
  readonly chart: Chart;
}

export type Chart = IntervalsChart;

/** A line of a chart: one model. Colours are variables of the page's style. */
export interface ChartSeries {
  readonly label: string;
  readonly color: string;
  readonly symbol: string;
}

/** Fractions 0–1 as dots with their intervals, floors as ticks: a row a group, a line a series. */
export interface IntervalsChart {
  readonly type: "intervals";
  readonly points: readonly {
    readonly row: string;
    readonly series: ChartSeries;
    readonly value: number | null;
    readonly interval: Interval | null;
    readonly floor: number | null;
  }[];
}
