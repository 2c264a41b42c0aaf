import fc from "fast-check";
import { describe, it } from "vitest";
import { seededIntegers } from "../../src/base/random.js";
import {
  clusteredInterval,
  clusteredMean,
  differenceByT,
  type Estimate,
  passAtK,
  passHatK,
  proportion,
  retryModel,
  SHARE,
  tInterval,
} from "../../src/stats/interval.js";
import {
  benjaminiHochberg,
  fisherExact,
  mcNemarExact,
  realSignFlipTest,
  signFlipTest,
} from "../../src/stats/p-values.js";
import { unanimity } from "../../src/stats/rater-agreement.js";

const count = fc.nat(40);
const share = fc.double({ min: 0, max: 1, noNaN: true });
const real = fc.double({ min: -1000, max: 1000, noNaN: true });

/** What every p-value is. */
function isP(p: number): boolean {
  return p > 0 && p <= 1;
}

/** Not for empty input; an interval that is absent on one side is absent on both. */
function holdsItsValue(estimate: Estimate | null): boolean {
  if (estimate === null) return false;
  const { value, low, high } = estimate;
  if (low === null || high === null) return low === high;
  return low <= value && value <= high;
}

function isNear(a: number, b: number, size = 1): boolean {
  return Math.abs(a - b) <= 1e-9 * Math.max(1, size);
}

/** Holds for every draw of `arbitrary`. */
function always<T>(arbitrary: fc.Arbitrary<T>, holds: (drawn: T) => boolean, numRuns = 300): void {
  fc.assert(fc.property(arbitrary, holds), { seed: 1, numRuns });
}

describe("every p-value", () => {
  it("of McNemar's test is one, and the same when the runs change places", () => {
    always(fc.tuple(count, count), ([b, c]) => isP(mcNemarExact(b, c)) && mcNemarExact(b, c) === mcNemarExact(c, b));
  });

  it("of Fisher's test is one, and the same for rows or columns exchanged and for rows made columns", () => {
    always(fc.tuple(count, count, count, count), ([a, b, c, d]) => {
      const p = fisherExact([
        [a, b],
        [c, d],
      ]);
      const others = [
        fisherExact([
          [c, d],
          [a, b],
        ]),
        fisherExact([
          [b, a],
          [d, c],
        ]),
        fisherExact([
          [a, c],
          [b, d],
        ]),
      ];
      return isP(p) && others.every((other) => isNear(other, p));
    });
  });

  it("of a sign flip is one, and the same when the runs change places", () => {
    const differences = fc.array(fc.integer({ min: -9, max: 9 }), { maxLength: 40 });
    always(differences, (whole) => isP(signFlipTest(whole)) && signFlipTest(whole) === signFlipTest(negated(whole)));
  });

  it("of a sign flip of real numbers is one, and the same when the runs change places", () => {
    const p = (differences: readonly number[]) => realSignFlipTest(differences, seededIntegers(1)).pValue;
    always(
      fc.array(real, { maxLength: 12 }),
      (differences) => isP(p(differences)) && p(differences) === p(negated(differences)),
    );
    // Drawn: 22 and more.
    always(
      fc.array(real, { minLength: 22, maxLength: 30 }),
      (differences) => isP(p(differences)) && p(differences) === p(negated(differences)),
      10,
    );
  });

  it("of a sign flip of real numbers does not depend on their unit", () => {
    const whole = fc.array(fc.integer({ min: -9, max: 9 }), { maxLength: 12 });
    always(whole, (differences) => {
      const inSevenths = differences.map((difference) => difference / 7);
      return isNear(realSignFlipTest(inSevenths, seededIntegers(1)).pValue, signFlipTest(differences));
    });
  });

  it("stays one when adjusted, is not lowered, and keeps its rank", () => {
    const ps = fc.array(fc.double({ min: 1e-12, max: 1, noNaN: true }), { minLength: 1, maxLength: 20 });
    always(ps, (given) => {
      const adjusted = benjaminiHochberg(given);
      const byRank = given.map((p, i) => [p, adjusted[i]!] as const).sort(([a], [b]) => a - b);
      return (
        adjusted.every((p, i) => isP(p) && p >= given[i]!) &&
        byRank.every(([, q], i) => i === 0 || q >= byRank[i - 1]![1])
      );
    });
  });
});

describe("every interval holds its value", () => {
  const someShares = fc.array(share, { minLength: 1, maxLength: 30 });
  const someReals = fc.array(real, { minLength: 1, maxLength: 30 });

  it("of a proportion and of a mean of shares, within 0 and 1", () => {
    const part = fc.integer({ min: 1, max: 5000 }).chain((n) => fc.tuple(fc.nat(n), fc.constant(n)));
    const isWithin = (estimate: Estimate | null) => (estimate?.low ?? 0) >= 0 && (estimate?.high ?? 1) <= 1;
    always(part, ([k, n]) => holdsItsValue(proportion(k, n)) && isWithin(proportion(k, n)));
    always(someShares, (values) => isWithin(tInterval(values, SHARE)));
  });

  it("of a mean by t, cut or not", () => {
    always(someReals, (values) => holdsItsValue(tInterval(values)));
    always(someShares, (values) => holdsItsValue(tInterval(values, { least: 0, most: 1 })));
  });

  it("of means of clusters", () => {
    const clusters = fc.array(fc.array(real, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 12 });
    always(clusters, (values) => {
      const sums = Float64Array.from(values, (own) => own.reduce((sum, value) => sum + value, 0));
      const counts = Float64Array.from(values, (own) => own.length);
      return holdsItsValue(clusteredInterval(values)) && holdsItsValue(clusteredMean({ sums, counts }));
    });
  });

  it("of a difference by t, and turns round when the samples change places", () => {
    always(fc.tuple(someReals, someReals), ([mine, theirs]) => {
      const [there, back] = [differenceByT(mine, theirs), differenceByT(theirs, mine)];
      if (there?.low == null || back?.high == null) return holdsItsValue(there) && there?.low === back?.high;
      return holdsItsValue(there) && isNear(there.low, -back.high, Math.abs(there.low));
    });
  });

  it("of unanimity", () => {
    const votes = fc.array(fc.array(fc.constantFrom("met", "not met", null), { minLength: 2, maxLength: 3 }));
    always(votes, (given) => {
      const { share: found, n, excluded } = unanimity(given);
      return n + excluded === given.length && (n === 0 ? found === null : holdsItsValue(found));
    });
  });
});

describe("trials", () => {
  const drawn = fc
    .tuple(fc.integer({ min: 1, max: 30 }), fc.nat(30), fc.integer({ min: 1, max: 30 }))
    .filter(([n, c, k]) => c <= n && k <= n);

  it("pass at least once at least as often as always, with one trial as often", () => {
    always(drawn, ([n, c, k]) => {
      const [once, every] = [passAtK(c, n, k)!, passHatK(c, n, k)!];
      return every >= 0 && once <= 1 && every <= once + 1e-12 && (k > 1 || isNear(once, every));
    });
  });

  it("that fail every time are those that do not pass once", () => {
    always(drawn, ([n, c, k]) => isNear(passAtK(c, n, k)!, 1 - passHatK(n - c, n, k)!));
  });

  it("cost 1/p attempts a success, however many are allowed", () => {
    const model = fc.tuple(fc.double({ min: 0.001, max: 1, noNaN: true }), fc.integer({ min: 1, max: 9 }));
    always(model, ([p, attempts]) => {
      const { success, attempts: made, attemptsPerSuccess } = retryModel(p, attempts);
      return success >= 0 && success <= 1 && isNear(made / success, attemptsPerSuccess!, attemptsPerSuccess!);
    });
  });
});

function negated(values: readonly number[]): number[] {
  return values.map((value) => -value);
}
