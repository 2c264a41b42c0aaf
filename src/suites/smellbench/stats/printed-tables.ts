import { z } from "zod";
import { badInput } from "../../../base/errors.js";
import { meanOrNull } from "../../../base/sums.js";
import { shorten } from "../../../base/text.js";

/** Share as a number, or as a text of one: nothing else is taken for one. */
const share = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^(?:\d+|\d*\.\d+)$/)
      .transform(Number),
  ])
  .pipe(z.number().min(0).max(1));

const printedSchema = z.looseObject({
  table1: z
    .array(
      z.looseObject({
        agent: z.string(),
        llm: z.string(),
        TPR: share,
        LA: share,
        CQ: share,
        SS: share,
        CC: share,
        SE: share,
      }),
    )
    .min(1),
  table3: z
    .array(z.looseObject({ setting: z.string(), difficulty: z.string(), TPR: share, LA: share, LLM: share }))
    .min(1),
});

/** A row of Table 1: an agent over all cases. */
export interface PrintedAgent {
  readonly agent: string;
  readonly llm: string;
  readonly tpr: number;
  readonly la: number;
  /** The counts that the shares are of; `null`: none fits. */
  readonly fit: Fit | null;
  /** Mean of the four dimensions of the judge. */
  readonly marks: number;
}

/** A row of Table 3: a setting and difficulty. */
export interface PrintedCell {
  readonly setting: string;
  readonly difficulty: string;
  readonly tpr: number;
  readonly la: number;
  readonly fit: Fit | null;
  readonly llm: number;
}

/** Printed tables, with the counts behind them. */
export interface Printed {
  readonly agents: readonly PrintedAgent[];
  readonly cells: readonly PrintedCell[];
  /** All cells together; `null` where the counts of one are not known. */
  readonly pooled: { readonly n: number; readonly passed: number; readonly located: number } | null;
  /** Rows of Table 1 that Table 3 can be of: both shares are the same. */
  readonly same: readonly PrintedAgent[];
  /** Mean of the judge's column of Table 3. */
  readonly cellMarks: number | null;
}

/**
 * Recomputes printed cells: the counts behind each share, and whether the tables agree.
 * @throws ProbeError `bad_input` for a text without such tables
 */
export function readPrinted(name: string, text: string): Printed {
  const { table1, table3 } = parsed(name, text);
  const agents = table1.map(({ agent, llm, TPR: tpr, LA: la, CQ, SS, CC, SE }) => ({
    agent,
    llm,
    tpr,
    la,
    fit: fitOf(tpr, la, ALL_CASES),
    marks: (CQ + SS + CC + SE) / 4,
  }));
  const cells = table3.map(({ setting, difficulty, TPR: tpr, LA: la, LLM: llm }) => ({
    setting,
    difficulty,
    tpr,
    la,
    llm,
    fit: fitOf(tpr, la, CELL_CASES),
  }));
  const fits = cells.flatMap(({ fit }) => fit ?? []);
  const total = (of: "n" | "passed" | "located") => fits.reduce((sum, fit) => sum + fit[of], 0);
  const pooled =
    fits.length < cells.length ? null : { n: total("n"), passed: total("passed"), located: total("located") };
  const isSame = ({ fit }: PrintedAgent) =>
    fit !== null &&
    pooled !== null &&
    fit.n === pooled.n &&
    fit.passed === pooled.passed &&
    fit.located === pooled.located;
  return { agents, cells, pooled, same: agents.filter(isSame), cellMarks: meanOrNull(cells.map(({ llm }) => llm)) };
}

function parsed(name: string, text: string): z.infer<typeof printedSchema> {
  const fail = (found: string): never => {
    throw badInput(`Expected printed tables ({"table1": …, "table3": …}) in ${name}, found: ${shorten(found, 300)}`);
  };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return fail("no JSON");
  }
  const read = printedSchema.safeParse(value);
  return read.success ? read.data : fail(z.prettifyError(read.error));
}

/** All combinations of seven smells, three difficulties, two settings and seven projects. */
export const ALL_CASES = 294;
/** Cases of one setting and difficulty. */
const CELL_CASES = 49;

/** Decimals that the paper prints. */
const DECIMALS = 4;

/** Count behind a printed share: k of n; `null`: none of n rounds to it. */
export function countOf(share: number, n: number): number | null {
  const k = Math.round(share * n);
  return (k / n).toFixed(DECIMALS) === share.toFixed(DECIMALS) ? k : null;
}

/** Cases that two printed shares are of, and the count behind each. */
interface Fit {
  readonly n: number;
  /** Cases that are not among them. */
  readonly excluded: number;
  readonly passed: number;
  readonly located: number;
}

/**
 * The one n, at most all, of which both shares can be: all where they can be of all; `null` where none fits, or several
 * smaller ones do.
 */
export function fitOf(tpr: number, la: number, all: number): Fit | null {
  const whole = fitAt(tpr, la, all, all);
  if (whole !== null) return whole;
  const found = Array.from({ length: all - 1 }, (_, i) => fitAt(tpr, la, i + 1, all)).filter((fit) => fit !== null);
  const [only = null, ...others] = found;
  return others.length === 0 ? only : null;
}

function fitAt(tpr: number, la: number, n: number, all: number): Fit | null {
  const [passed, located] = [countOf(tpr, n), countOf(la, n)];
  return passed === null || located === null ? null : { n, excluded: all - n, passed, located };
}
