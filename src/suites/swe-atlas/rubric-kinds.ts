import { WORKFLOWS, type Workflow } from "./atlas-task.js";

/** Kinds of rubrics of each workflow, by the number that a title begins with. */
const KINDS: Readonly<Record<Workflow, readonly string[]>> = {
  qa: ["1 Answer Comprehensiveness", "2 Negative Rubrics"],
  tw: ["1 Test Comprehensiveness", "2 Test Placement", "3 Test Suite Conventions", "4 Test Bucket Conventions"],
  rf: ["1 Code Maintainability", "2 Documentation Maintainability", "3 Artifact Cleanup", "4 Negative Rubrics"],
};

/** Kind of a rubric by its title, such as `1.2: …`; one without a number, or of another workflow, is of none. */
export function rubricKind({ title }: { readonly title: string }, condition: string): string | null {
  const workflow = WORKFLOWS.find((name) => name === condition);
  const number = /^\s*(\d+)[.:]/.exec(title)?.[1];
  if (workflow === undefined || number === undefined) return null;
  return KINDS[workflow][Number(number) - 1] ?? null;
}
