import type { JudgementState } from "../verdict/judgement.js";
import type { Chart, ChartSeries } from "./chart-data.js";

/**
 * Results as data: presenters make blocks of them, renderers make text of blocks. A number stays a
 * number until a renderer writes it, so that it is written alike on a terminal, in Markdown and in HTML. No text in a block
 * is escaped: each renderer does that for its own format.
 */
export type Block =
  | HeadingBlock
  | TextBlock
  | TableBlock
  | ListBlock
  | FactsBlock
  | CodeBlock
  | DetailsBlock
  | GroupBlock
  | LegendBlock
  | ChartBlock;

/** Colour in which a reader sees it at a glance. */
export type Tone = "plain" | "good" | "warning" | "bad";

/**
 * Format of a number.
 * - `count`: a whole number with thousands separated
 * - `fraction`: a share, in percent with one decimal: `77.8 %`
 * - `change`: what a share gained or lost, in percentage points with its sign: `+2.5 pp`
 * - `size`: how far apart two shares are: `2.5 pp`
 * - `points`: a share in percent, without the sign (the head says it)
 * - `points_change`: what it gained or lost, without the unit
 * - `coefficient`: three decimals: what is no share, such as a kappa
 * - `coefficient_change`: three decimals with the sign of a change
 * - `pvalue`: four digits, or `<0.0001`
 * - `perplexity`: two decimals; a power of ten from 100,000
 * - `nats`: four decimals; a power of ten below 0.001; 0 as it is
 * - `short`: whole numbers as they are, others with one decimal
 * - `ratio`: two decimals
 */
export type NumberFormat =
  | "count"
  | "fraction"
  | "change"
  | "size"
  | "points"
  | "points_change"
  | "coefficient"
  | "coefficient_change"
  | "pvalue"
  | "perplexity"
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

/** A piece of a sentence: text as it is, a number, something to stress or to colour, or something to type. */
export type Inline =
  | string
  | Quantity
  | { readonly kind: "strong"; readonly text: string }
  | { readonly kind: "toned"; readonly text: string; readonly tone: Tone }
  | { readonly kind: "code"; readonly text: string };

/** A heading; 1 is the highest level. */
export interface HeadingBlock {
  readonly kind: "heading";
  /** 1: of the document; 2: of a subject; 3: within one. */
  readonly level: 1 | 2 | 3;
  readonly text: string;
  /** A word that says how things are with what follows. */
  readonly badge?: Badge;
}

/** A state in a word or two. */
interface Badge {
  readonly text: string;
  readonly tone: Tone;
}

/** A sentence, or a few. */
export interface TextBlock {
  readonly kind: "text";
  readonly parts: readonly Inline[];
  readonly tone?: Tone;
  /** Setting on a page: the answer to its question, the number of a card, the subject of a section, or an aside. */
  readonly role?: "answer" | "figure" | "lead" | "aside";
}

/** The least important columns go first where a terminal is too narrow: 3, then 2; those of 1 stay. */
type Importance = 1 | 2 | 3;

/** A column of a table. */
export interface Column {
  readonly id: string;
  readonly label: string;
  /** For where there is little room; without one, `label`. */
  readonly shortLabel?: string;
  readonly align: "left" | "right";
  readonly importance: Importance;
  /** Characters a line: longer text is broken where a renderer can. */
  readonly width?: number;
}

/** Content of a cell. */
export type Cell = TextCell | NumberCell | PairCell | MissingCell;

/** A cell that holds words. */
interface TextCell {
  readonly kind: "text";
  /** One line, or several. */
  readonly text: string | readonly string[];
  readonly tone?: Tone;
  /** Number to sort by, where that is not the text. */
  readonly sort?: number | null;
}

export interface NumberCell extends Quantity {
  readonly kind: "number";
  /** A name that the number belongs to, such as the commonest letter; before it. */
  readonly name?: string;
  /** Words or numbers after it, such as the class of a majority floor, or a count and its total. */
  readonly note?: readonly Inline[];
  readonly tone?: Tone;
  /** A word on it, before it. */
  readonly badge?: Badge;
  /** State of its judgement: a sign behind it, and a colour where there are colours. */
  readonly judgement?: JudgementState;
  /** The best of its column. */
  readonly isBest?: boolean;
}

/** Two numbers beside each other, such as of baseline and candidate. */
interface PairCell {
  readonly kind: "pair";
  readonly first: Quantity;
  readonly second: Quantity;
}

/** Not measured, or not defined; a dash. `empty`: it does not apply; nothing. */
interface MissingCell {
  readonly kind: "missing";
  readonly isEmpty?: boolean;
}

/** A table. */
export interface TableBlock {
  readonly kind: "table";
  /** Subject of the table; `null` where the text before it says so. */
  readonly caption: string | null;
  readonly columns: readonly Column[];
  /** A cell a column, in their order. The first names the row. */
  readonly rows: readonly (readonly Cell[])[];
  /** Below them, and not of their order: what the others are held against, such as floors. */
  readonly references?: readonly (readonly Cell[])[];
  /** `true`: where there is no room for its columns, a page shows each row as a card. */
  readonly isCards?: boolean;
  /** `true`: a page may offer to sort it. */
  readonly isSortable?: boolean;
  /** Numbers stand alone where room is scarce: their intervals and notes are for pages and files. */
  readonly isCompact?: boolean;
}

/** A list of sentences. */
interface ListBlock {
  readonly kind: "list";
  readonly items: readonly (readonly Inline[])[];
}

/** Names and what belongs to them. */
interface FactsBlock {
  readonly kind: "facts";
  readonly facts: readonly { readonly name: string; readonly parts: readonly Inline[] }[];
}

/** Text of several lines that is shown as it is. */
export interface CodeBlock {
  readonly kind: "code";
  readonly text: string;
  /** `patch`: added and removed lines are told apart by colour. Of both a terminal cuts long lines. Absent: as it is. */
  readonly of?: "patch" | "output";
}

/** Blocks that a page folds away; elsewhere they stand in full. */
interface DetailsBlock {
  readonly kind: "details";
  readonly summary: string;
  /** Fragment at which a page opens it; absent: none. */
  readonly id?: string;
  readonly blocks: readonly Block[];
}

/**
 * Blocks that belong together. `cards` and `charts`: side by side where there is room; `card`: one of them, in a frame;
 * `sides`: two that are held against each other; `board`: tables of many columns.
 */
export interface GroupBlock {
  readonly kind: "group";
  readonly layout: "cards" | "card" | "charts" | "sides" | "board";
  readonly blocks: readonly Block[];
  readonly tone?: Tone;
}

/** Legend of the colours and signs in charts beside it. */
export interface LegendBlock {
  readonly kind: "legend";
  readonly entries: readonly LegendEntry[];
}

/** Mark of a chart and its meaning. */
export type LegendEntry =
  | { readonly mark: "right" | "wrong" | "undecided" | "floor" | "mean" | "score"; readonly label: string }
  | { readonly mark: "series"; readonly series: ChartSeries; readonly label: string; readonly name: string };

/** A picture, as its data. Where there are no pictures it is left out: tables and sentences say the same. */
export interface ChartBlock {
  readonly kind: "chart";
  readonly title: string;
  readonly chart: Chart;
}
