// Code under test runs beside its tests: it must not put something of its own in the place of what they are written with.
const NAMES = [
  "expect",
  "assert",
  "assertType",
  "expectTypeOf",
  "chai",
  "describe",
  "suite",
  "it",
  "test",
  "vi",
  "vitest",
  "beforeAll",
  "afterAll",
  "beforeEach",
  "afterEach",
  "onTestFailed",
  "onTestFinished",
];

for (const name of NAMES) {
  const value = globalThis[name];
  if (value !== undefined) Object.defineProperty(globalThis, name, { value, writable: false, configurable: false });
}
