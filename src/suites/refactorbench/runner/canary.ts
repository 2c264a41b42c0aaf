/**
 * Assertions that are false, each in the words of one matcher: code under test that makes any of them pass has replaced what
 * tests are judged by.
 */
const FALSE_ASSERTIONS = [
  "expect(1).toBe(2)",
  "expect(1).not.toBe(1)",
  "expect({ a: 1 }).toEqual({ a: 2 })",
  "expect({ a: 1 }).toStrictEqual({ a: 2 })",
  "expect({ a: 1 }).toMatchObject({ a: 2 })",
  "expect([1]).toContain(2)",
  "expect([1]).toHaveLength(2)",
  'expect("a").toMatch(/b/)',
  "expect(false).toBeTruthy()",
  "expect(true).toBeFalsy()",
  "expect(1).toBeNull()",
  "expect(1).toBeUndefined()",
  "expect(undefined).toBeDefined()",
  "expect(1).toBeGreaterThan(2)",
  "expect(() => undefined).toThrow()",
  "expect(vi.fn()).toHaveBeenCalled()",
  "expect(vi.fn()).toHaveBeenCalledWith(1)",
  "expect(vi.fn()).toHaveBeenCalledTimes(1)",
] as const;

/** Likewise of matchers for pages. */
const FALSE_PAGE_ASSERTIONS = [
  "expect(null).toBeInTheDocument()",
  'expect(document.createElement("p")).toHaveTextContent("text")',
] as const;

/** What the names of the canary's own tests begin with. */
export const CANARY_PREFIX = "canary: ";

/**
 * The canary of a hidden test: its own text, so that it imports and runs what the test does, and behind it the assertions
 * that must fail. All of the canary's own tests fail, or what the hidden test says cannot be believed.
 * @param word stands in the names it brings: not known to code under test
 */
export function canarySource(test: string, word: string, isDom: boolean): string {
  const assertions = isDom ? [...FALSE_ASSERTIONS, ...FALSE_PAGE_ASSERTIONS] : FALSE_ASSERTIONS;
  const names = `expect as expect_${word}, it as it_${word}, vi as vi_${word}`;
  const lines = assertions.map((assertion) => {
    const body = assertion.replace(/\b(expect|vi)(?=[(.])/g, `$1_${word}`);
    return `it_${word}(${JSON.stringify(CANARY_PREFIX + assertion)}, () => { ${body}; });`;
  });
  return `${test}\n;import { ${names} } from "vitest";\n${lines.join("\n")}\n`;
}

/** How many tests of its own a canary has. */
export function canaryTests(isDom: boolean): number {
  return FALSE_ASSERTIONS.length + (isDom ? FALSE_PAGE_ASSERTIONS.length : 0);
}
