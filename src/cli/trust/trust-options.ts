import type { OptionValues } from "../../console/option.js";
import {
  listOption,
  optionalPositional,
  optionalPositionals,
  switchOption,
  textOption,
} from "../../console/option-kinds.js";

const FOLDER = optionalPositional("folder of a run, an audit or a suite's data");
const JSON_OPTION = switchOption("print one JSON document instead of the table");

export const SHOW_TRUST = { folder: FOLDER, json: JSON_OPTION };
export type ShowTrustValues = OptionValues<typeof SHOW_TRUST>;

export const LIST_TRUST = { json: JSON_OPTION };

export const ADD_TRUST = {
  folder: FOLDER,
  baseUrl: listOption("server that may have the key named beside it, http(s)://host"),
  apiKeyEnv: textOption("environment variable that holds the key for it"),
  apiKeyFile: textOption("file whose first line is the key for it"),
  module: listOption("module that may be run, as it is now"),
  alias: listOption("alias of probe.config.json that takes the place of one of the program's, as it is now"),
  yes: switchOption("all that is asked for"),
};
export type AddTrustValues = OptionValues<typeof ADD_TRUST>;

export const REMOVE_TRUST = { ids: optionalPositionals("ids of what is trusted"), all: switchOption("everything") };
export type RemoveTrustValues = OptionValues<typeof REMOVE_TRUST>;
