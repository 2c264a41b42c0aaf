import { type OptionValues, texts, usage, wholeNumber } from "../console/option.js";
import { countOption, switchOption } from "../console/option-kinds.js";

const LAST_PORT = 65_535;

/** The options of commands that serve a page to this machine. */
export const PAGE_OPTIONS = {
  port: countOption("port of the page (default: one that is free)", 0, {
    parse(given, flag) {
      const port = wholeNumber(flag, texts(given), 0) ?? null;
      if (port === null || port <= LAST_PORT) return port;
      throw usage(flag, `a port up to ${LAST_PORT}`, `${port}`);
    },
  }),
  noOpen: switchOption("print the address, open no browser"),
};

export type PageValues = OptionValues<typeof PAGE_OPTIONS>;
