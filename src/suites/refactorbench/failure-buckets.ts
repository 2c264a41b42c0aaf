/** Released classes of failed trials, in the order in which tables have them. */
export const FAILURE_BUCKETS = [
  "Reported non-success",
  "Syntax or parse failure",
  "Module import/export failure",
  "DOM/query/UI mismatch",
  "Assertion-level behavior mismatch",
  "Runtime reference/type error",
  "Non-triviality failure",
  "Other hidden-test failure",
] as const;

/** A class of failures. */
export type FailureBucket = (typeof FAILURE_BUCKETS)[number];

/** Class of a trial. */
export type Bucket = "Passed" | FailureBucket;

/**
 * Classes that the text of a failure tells, in the order in which they are tried: the first that matches stands. What begins
 * anew within a pattern ends it, or a text of beginnings would take the square of its length.
 */
const TEXT_RULES: readonly (readonly [FailureBucket, RegExp])[] = [
  [
    "Syntax or parse failure",
    /syntaxerror|parse error|failed to parse|unexpected token|unterminated|string literal|expression expected|expected (?:(?!expected ).)* but found/,
  ],
  [
    "Module import/export failure",
    /cannot find module|failed to resolve import|does not provide an export|no exported member|module not found|imported module|export (?:(?!export ).)* was not found/,
  ],
  [
    "DOM/query/UI mismatch",
    /unable to find|testinglibraryelementerror|getby|queryby|role|text content|expected element|document body|rendered html|to be in the document|accessible name/,
  ],
  [
    "Runtime reference/type error",
    /referenceerror|typeerror|is not a function|cannot read properties|cannot access (?:(?!cannot access ).)* before initialization/,
  ],
  [
    "Assertion-level behavior mismatch",
    /assertionerror|expected (?:(?!expected ).)* to|received|to equal|to contain|to have/,
  ],
];

/** Outcome of a trial, as far as classes of failures need it. */
export interface Outcome {
  readonly passesTests: boolean;
  /** `null`: it did not say. */
  readonly reportedSuccess: boolean | null;
  readonly isNonTrivial: boolean;
  /** Message of the hidden tests. */
  readonly testMessage: string;
  /** Message of the compile check. */
  readonly compileMessage: string;
}

/**
 * The released class of a trial: the first that matches, of those of its flags, then of those of its texts in lower case.
 * "role" and the like match more than they mean (docs of the benchmark): `failureKind` tells by structure instead.
 */
export function failureBucket({
  passesTests,
  reportedSuccess,
  isNonTrivial,
  testMessage,
  compileMessage,
}: Outcome): Bucket {
  if (passesTests) return "Passed";
  if (reportedSuccess !== true) return "Reported non-success";
  if (!isNonTrivial) return "Non-triviality failure";
  return textBucket(`${testMessage}\n${compileMessage}`);
}

/** The class that texts tell. */
function textBucket(text: string): FailureBucket {
  const lower = text.toLowerCase();
  return TEXT_RULES.find(([, words]) => words.test(lower))?.[0] ?? "Other hidden-test failure";
}
