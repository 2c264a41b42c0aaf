/** First line of a report by this program; a file that begins so may be replaced by the next report. */
export const JUNIT_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="probe ';

/**
 * Checks in the JUnit format that CI servers read (GitLab, Jenkins, Azure, CircleCI): a suite a probe form, a test case
 * a check.
 */
export function junitXml({ name, timestamp, durationMs, suites }: CiReport): string {
  const all = suites.flatMap(({ checks }) => checks);
  const time = durationMs === null ? "" : ` time="${(durationMs / 1000).toFixed(3)}"`;
  return [
    `${JUNIT_HEAD}${escapeXml(name)}" ${counts(all)}${time}>`,
    ...suites.flatMap((suite) => suiteLines(suite, timestamp)),
    "</testsuites>\n",
  ].join("\n");
}

function counts(checks: readonly CiCheck[]): string {
  const count = (status: CiCheckResult["status"]) => checks.filter(({ result }) => result.status === status).length;
  return `tests="${checks.length}" failures="${count("failed")}" errors="${count("error")}" skipped="${count("skipped")}"`;
}

function suiteLines({ name, properties, checks }: CiSuite, timestamp: string | null): string[] {
  const at = timestamp === null ? "" : ` timestamp="${escapeXml(timestamp)}"`;
  const listed = [...properties].map(
    ([key, value]) => `      <property name="${escapeXml(key)}" value="${escapeXml(value)}"/>`,
  );
  return [
    `  <testsuite name="${escapeXml(name)}" ${counts(checks)}${at}>`,
    ...(listed.length > 0 ? ["    <properties>", ...listed, "    </properties>"] : []),
    ...checks.flatMap((check) => checkLines(name, check)),
    "  </testsuite>",
  ];
}

function checkLines(suite: string, { name, result }: CiCheck): string[] {
  return [
    `    <testcase classname="${escapeXml(suite)}" name="${escapeXml(name)}">`,
    `      ${resultElement(result)}`,
    "    </testcase>",
  ];
}

function resultElement(result: CiCheckResult): string {
  switch (result.status) {
    case "passed":
      return `<system-out>${escapeXml(result.text)}</system-out>`;
    case "skipped":
      return `<skipped message="${escapeXml(result.reason)}"/>`;
    case "failed":
    case "error": {
      const element = result.status === "failed" ? "failure" : "error";
      const { kind, message, text } = result;
      return `<${element} type="${escapeXml(kind)}" message="${escapeXml(message)}">${escapeXml(text)}</${element}>`;
    }
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  // Text too: "]]>" may not stand there.
  ">": "&gt;",
  '"': "&quot;",
  // Attributes would turn them into blanks.
  "\t": "&#9;",
  "\n": "&#10;",
  "\r": "&#13;",
};

/** Text for an element or an attribute. What XML 1.0 cannot hold in any form is shown as an escape such as `\u0000`. */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(NOT_XML, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .replace(/[&<>"\t\n\r]/g, (character) => ENTITIES[character] ?? character);
}

// C0 controls but tab and line ends; C1 controls and what turns the direction of writing (allowed, but obeyed by those who
// show it); the two non-characters.
const NOT_XML = /(?![\t\n\r])[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/gu;

/**
 * Result of a check.
 * - `failed`: a finding about the model, such as that it does not bind letters to options
 * - `error`: the measurement itself is not whole, such as when answers failed
 * - `skipped`: there is nothing to judge
 */
export type CiCheckResult =
  | { readonly status: "passed"; readonly text: string }
  | { readonly status: "failed" | "error"; readonly kind: string; readonly message: string; readonly text: string }
  | { readonly status: "skipped"; readonly reason: string };

/** One thing that a CI job wants to hold. */
export interface CiCheck {
  readonly name: string;
  readonly result: CiCheckResult;
}

/** The checks of one probe form. */
export interface CiSuite {
  readonly name: string;
  /** Names and values for whoever evaluates the report. */
  readonly properties: ReadonlyMap<string, string>;
  readonly checks: readonly CiCheck[];
}

/** Checks as a CI server shows them. */
export interface CiReport {
  readonly name: string;
  /** When they were made, as ISO 8601; `null` when that is not one time. */
  readonly timestamp: string | null;
  readonly durationMs: number | null;
  readonly suites: readonly CiSuite[];
}
