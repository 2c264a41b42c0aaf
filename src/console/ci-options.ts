import { type OptionValues, switchOption, textOption } from "./option.js";

/** The options of commands whose result a CI server can show. */
export const CI_OPTIONS = {
  junit: textOption("write the checks as JUnit XML to this file; the exit code stays the same"),
  githubSummary: switchOption("append the summary to the job page of GitHub Actions (GITHUB_STEP_SUMMARY)"),
};

/** What these options say. */
export type CiValues = OptionValues<typeof CI_OPTIONS>;
