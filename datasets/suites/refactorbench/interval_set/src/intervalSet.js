const BOUND = /^-?\d+(?:\.\d+)?$/;

function parseBound(text, whole) {
  const trimmed = text.trim();
  if (trimmed === "-inf") return -Infinity;
  if (trimmed === "inf" || trimmed === "+inf") return Infinity;
  if (!BOUND.test(trimmed)) throw new SyntaxErrorOfInterval(whole);
  return Number(trimmed);
}

class SyntaxErrorOfInterval extends Error {
  constructor(text) {
    super(`not an interval: ${text}`);
    this.name = "IntervalFormatError";
  }
}

/** Reads one interval, such as "[1, 4)". */
export function parseInterval(text) {
  const match = /^\s*\[([^,\[\])]+),([^,\[\])]+)\)\s*$/.exec(text);
  if (match === null) throw new SyntaxErrorOfInterval(text);
  const start = parseBound(match[1], text);
  const end = parseBound(match[2], text);
  return makeInterval(start, end);
}

/** Reads intervals joined by "u", such as "[1, 4) u [6, 9)". */
export function parseIntervals(text) {
  if (text.trim() === "") return [];
  return normalise(text.split("u").map(parseInterval));
}

/** A half-open interval: start is in it, end is not. */
export function makeInterval(start, end) {
  if (Number.isNaN(start) || Number.isNaN(end)) throw new RangeError("a bound is not a number");
  if (start > end) throw new RangeError(`start ${start} is after end ${end}`);
  return { start, end };
}

function isEmpty(interval) {
  return interval.start === interval.end;
}

function byStart(left, right) {
  return left.start - right.start || left.end - right.end;
}

/** Sorted, without empty ones, those that touch or overlap joined. */
export function normalise(intervals) {
  const sorted = intervals.filter((interval) => !isEmpty(interval)).sort(byStart);
  const joined = [];
  for (const { start, end } of sorted) {
    const last = joined[joined.length - 1];
    if (last !== undefined && start <= last.end) {
      last.end = Math.max(last.end, end);
    } else {
      joined.push({ start, end });
    }
  }
  return joined;
}

/** What is in either. */
export function union(left, right) {
  return normalise([...left, ...right]);
}

/** What is in both. */
export function intersect(left, right) {
  const common = [];
  let i = 0;
  let j = 0;
  while (i < left.length && j < right.length) {
    const start = Math.max(left[i].start, right[j].start);
    const end = Math.min(left[i].end, right[j].end);
    if (start < end) common.push({ start, end });
    if (left[i].end < right[j].end) i += 1;
    else j += 1;
  }
  return common;
}

/** What is in none of them. */
export function complement(intervals) {
  const gaps = [];
  let from = -Infinity;
  for (const { start, end } of intervals) {
    if (start > from) gaps.push({ start: from, end: start });
    from = end;
  }
  if (from < Infinity) gaps.push({ start: from, end: Infinity });
  return gaps;
}

/** What is in the first alone. */
export function subtract(left, right) {
  return intersect(left, complement(right));
}

/** All moved by the same distance. */
export function shift(intervals, distance) {
  return intervals.map(({ start, end }) => ({ start: start + distance, end: end + distance }));
}

function indexBefore(intervals, point) {
  let low = 0;
  let high = intervals.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (intervals[middle].start <= point) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Whether a point is in one of them; they are normalised. */
export function contains(intervals, point) {
  const index = indexBefore(intervals, point);
  return index >= 0 && point < intervals[index].end;
}

/** How long they are together. */
export function totalLength(intervals) {
  return intervals.reduce((sum, { start, end }) => sum + (end - start), 0);
}

/** What is left free between two points. */
export function gapsWithin(intervals, start, end) {
  return subtract([makeInterval(start, end)], intervals);
}

/** The point in them that is nearest to this one; of two equally near the lower. */
export function nearest(intervals, point) {
  if (intervals.length === 0) throw new RangeError("no interval to be near to");
  if (contains(intervals, point)) return point;
  const index = indexBefore(intervals, point);
  const before = index >= 0 ? intervals[index].end : -Infinity;
  const after = index + 1 < intervals.length ? intervals[index + 1].start : Infinity;
  return point - before <= after - point ? before : after;
}

function formatBound(bound) {
  if (bound === Infinity) return "inf";
  if (bound === -Infinity) return "-inf";
  return String(bound);
}

/** The opposite of parseIntervals. */
export function formatIntervals(intervals) {
  return intervals.map(({ start, end }) => `[${formatBound(start)}, ${formatBound(end)})`).join(" u ");
}
