import type { OptionTable } from "../../console/option.js";
import { listOption, switchOption, textOption } from "../../console/option-kinds.js";

/** What showing takes. */
export const SHOW_OPTIONS = {
  json: switchOption("print one JSON document instead of the table"),
} satisfies OptionTable;

/** What `probe trust add` takes. */
export const ADD_OPTIONS = {
  baseUrl: listOption("server that may have the key named beside it, http(s)://host"),
  apiKeyEnv: textOption("environment variable that holds the key for it"),
  apiKeyFile: textOption("file whose first line is the key for it"),
  module: listOption("module that may be run, as it is now"),
  alias: listOption("alias of probe.config.json that takes the place of one of the program's, as it is now"),
  yes: switchOption("all that is asked for"),
} satisfies OptionTable;

/** What `probe trust remove` takes besides ids. */
export const REMOVE_OPTIONS = { all: switchOption("everything") } satisfies OptionTable;
