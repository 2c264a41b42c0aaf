/** The options of commands whose result a CI server can show. */
export const CI_OPTIONS = {
  junit: {
    type: "string",
    requiresArg: true,
    describe: "write the checks as JUnit XML to this file; the exit code stays the same",
  },
  "github-summary": {
    type: "boolean",
    describe: "append the summary to the job page of GitHub Actions (GITHUB_STEP_SUMMARY)",
  },
} as const;

/** These options as the parser hands them over. */
export interface CiArguments {
  readonly junit?: string | string[] | undefined;
  readonly githubSummary?: boolean | undefined;
}
