import type { TableDescription } from "../../../store/table.js";
import { ANSWERS, QUESTIONS } from "./columns.js";
import { GENERATIONS } from "./generations-table.js";
import { SUMMARY } from "./summary-columns.js";

/** The tables of a run of probes; the last one only in runs with generations. */
export const TABLES: readonly TableDescription[] = [ANSWERS, QUESTIONS, SUMMARY, GENERATIONS];
