import { switchOption } from "../../console/option-kinds.js";

/** What `probe suite stats smellbench` takes. */
export const STATS_OPTIONS = {
  json: switchOption("print one JSON document, in full precision, instead of the tables"),
};
