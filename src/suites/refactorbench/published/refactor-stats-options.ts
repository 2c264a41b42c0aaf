import { switchOption } from "../../../console/option-kinds.js";

/** What `probe suite stats refactorbench` takes. */
export const STATS_OPTIONS = {
  roundedInputs: switchOption(
    "Table 13 from means rounded as printed (dollars to .001, minutes to .1), as the paper did",
  ),
  json: switchOption("print one JSON document, in full precision, instead of the tables"),
};
