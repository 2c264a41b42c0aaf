import {
  complement,
  contains,
  formatIntervals,
  gapsWithin,
  intersect,
  makeInterval,
  nearest,
  normalise,
  parseInterval,
  parseIntervals,
  shift,
  subtract,
  totalLength,
  union,
} from "./intervalSet";

const of = (...bounds) => bounds.map(([start, end]) => ({ start, end }));

describe("reading and writing", () => {
  it("reads one interval", () => {
    expect(parseInterval(" [1, 4) ")).toEqual({ start: 1, end: 4 });
  });

  it("reads bounds without end", () => {
    expect(parseInterval("[-inf, 2.5)")).toEqual({ start: -Infinity, end: 2.5 });
    expect(parseInterval("[0, +inf)")).toEqual({ start: 0, end: Infinity });
  });

  it("refuses what is no interval, and names it", () => {
    expect(() => parseInterval("(1, 4]")).toThrow("not an interval: (1, 4]");
    expect(() => parseInterval("[1, x)")).toThrow("not an interval: [1, x)");
  });

  it("reads several and joins them", () => {
    expect(parseIntervals("[6, 9) u [1, 4) u [3, 5)")).toEqual(of([1, 5], [6, 9]));
  });

  it("reads nothing as none", () => {
    expect(parseIntervals("  ")).toEqual([]);
  });

  it("writes what it reads", () => {
    const text = "[-inf, 0) u [1.5, 4) u [9, inf)";
    expect(formatIntervals(parseIntervals(text))).toBe(text);
  });
});

describe("making", () => {
  it("refuses bounds in the wrong order", () => {
    expect(() => makeInterval(4, 1)).toThrow("start 4 is after end 1");
  });

  it("refuses bounds that are no numbers", () => {
    expect(() => makeInterval(Number.NaN, 1)).toThrow(RangeError);
  });

  it("drops empty ones and joins those that touch", () => {
    expect(normalise(of([5, 7], [2, 2], [1, 5]))).toEqual(of([1, 7]));
  });

  it("leaves what it was given as it was", () => {
    const given = of([1, 5], [2, 8]);
    normalise(given);
    expect(given).toEqual(of([1, 5], [2, 8]));
  });
});

describe("operations", () => {
  it("unites", () => {
    expect(union(of([1, 3]), of([2, 6], [8, 9]))).toEqual(of([1, 6], [8, 9]));
  });

  it("intersects", () => {
    expect(intersect(of([1, 5], [7, 9]), of([4, 8]))).toEqual(of([4, 5], [7, 8]));
  });

  it("has nothing in common where they only touch", () => {
    expect(intersect(of([1, 4]), of([4, 8]))).toEqual([]);
  });

  it("finds what is in none", () => {
    expect(complement(of([1, 4], [6, 9]))).toEqual(of([-Infinity, 1], [4, 6], [9, Infinity]));
  });

  it("subtracts", () => {
    expect(subtract(of([0, 10]), of([2, 3], [5, 20]))).toEqual(of([0, 2], [3, 5]));
  });

  it("shifts", () => {
    expect(shift(of([1, 4]), -3)).toEqual(of([-2, 1]));
  });
});

describe("queries", () => {
  it("tells what is inside: the start, not the end", () => {
    const set = of([1, 4], [6, 9]);
    expect([0, 1, 3.9, 4, 6, 9].map((point) => contains(set, point))).toEqual([false, true, true, false, true, false]);
  });

  it("adds lengths", () => {
    expect(totalLength(of([1, 4], [6, 8.5]))).toBe(5.5);
  });

  it("finds gaps", () => {
    expect(gapsWithin(of([1, 4], [6, 9]), 0, 7)).toEqual(of([0, 1], [4, 6]));
  });

  it("finds the nearest point, the lower of two", () => {
    const set = of([1, 4], [6, 9]);
    expect([nearest(set, 0), nearest(set, 5), nearest(set, 5.5), nearest(set, 7)]).toEqual([1, 4, 6, 7]);
    expect(() => nearest([], 1)).toThrow("no interval to be near to");
  });
});
