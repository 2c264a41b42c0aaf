import { type DrawInteger, sampled, shuffled } from "../../base/random.js";
import type { TextRange } from "../../base/text.js";

/** A literal of an expectation, and what may stand in its place so that nothing tells which of them was there. */
export interface TurnableLiteral extends TextRange {
  /** Its own text. */
  readonly text: string;
  /** Others, at most. */
  readonly most: number;
  /** @returns that many other texts of its kind */
  readonly others: (count: number, draw: DrawInteger) => string[];
}

const MOST_OTHERS = 7;

/** `null`: no number that can be turned, such as a hexadecimal one. */
export function turnableNumber(text: string, { start, end }: TextRange): TurnableLiteral | null {
  const found = /^(\d{1,12})(?:\.(\d{1,3}))?$/.exec(text);
  if (found === null || /^0\d/.test(text)) return null;
  const decimals = found[2]?.length ?? 0;
  const value = Number(text.replace(".", ""));
  const written = (whole: number) => {
    const digits = String(whole).padStart(decimals + 1, "0");
    return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
  };
  return {
    start,
    end,
    text,
    most: MOST_OTHERS,
    // Its rank among them is drawn: the middle one is right no more often than another.
    others: (count, draw) => {
      const lowest = value - draw(0, Math.min(count, value));
      const all = Array.from({ length: count + 1 }, (_, i) => lowest + i);
      return all.filter((each) => each !== value).map(written);
    },
  };
}

/** @param other such as `false` for `true` */
export function turnableTruth(text: string, other: string, { start, end }: TextRange): TurnableLiteral {
  return { start, end, text, most: 1, others: () => [other] };
}

const CLASSES = ["abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789"] as const;

/**
 * A text in which one letter or digit is another of its class; where there is none, a letter is added.
 * @param places of the characters that may be changed, in the text
 * @param last place behind its last character
 */
export function turnableText(
  text: string,
  places: readonly number[],
  last: number,
  { start, end }: TextRange,
): TurnableLiteral {
  const at = (place: number, letter: string, width: number) =>
    text.slice(0, place) + letter + text.slice(place + width);
  return {
    start,
    end,
    text,
    most: MOST_OTHERS,
    others: (count, draw) => {
      const [place] = sampled(places, 1, draw);
      const own = place === undefined ? "" : text.charAt(place);
      const letters = CLASSES.find((each) => own !== "" && each.includes(own)) ?? CLASSES[0];
      const others = [...letters].filter((letter) => letter !== own);
      return sampled(others, count, draw).map((letter) =>
        place === undefined ? at(last, letter, 0) : at(place, letter, 1),
      );
    },
  };
}

/** Tests if a character has a class in which another can be drawn. */
export function isTurnable(character: string): boolean {
  return CLASSES.some((each) => character !== "" && each.includes(character));
}

/** Texts for all literals of an expectation, of each of its copies. */
interface Variants {
  readonly copies: readonly (readonly string[])[];
  /** Place of the one that is not turned. */
  readonly right: number;
}

/** Some literals that are turned together, and how many texts each has. */
interface Factor {
  readonly literals: readonly number[];
  readonly levels: number;
}

/**
 * Draws up to eight copies of an expectation, one of them as it is. The copies are a full factorial design: each text of a
 * literal stands in as many of them as its others, so that counting gives nothing away; and for each part that an answer
 * has wrong, or equal to everything, there is a copy that differs in that part.
 * @param most copies
 */
export function drawVariants(literals: readonly TurnableLiteral[], most: number, draw: DrawInteger): Variants {
  const factors = factorsOf(literals, most, draw);
  const own = literals.map(({ text }) => text);
  let copies: { texts: readonly string[]; isRight: boolean }[] = [{ texts: own, isRight: true }];
  for (const { literals: turned, levels } of factors) {
    const others = new Map(turned.map((i) => [i, literals[i]?.others(levels - 1, draw) ?? []]));
    const turnedTo = (texts: readonly string[], level: number) =>
      texts.map((text, i) => others.get(i)?.[level] ?? text);
    copies = copies.flatMap((copy) => [
      copy,
      ...Array.from({ length: levels - 1 }, (_, level) => ({ texts: turnedTo(copy.texts, level), isRight: false })),
    ]);
  }
  const drawn = shuffled(copies, draw);
  return { copies: drawn.map(({ texts }) => texts), right: drawn.findIndex(({ isRight }) => isRight) };
}

function factorsOf(literals: readonly TurnableLiteral[], most: number, draw: DrawInteger): Factor[] {
  const order = shuffled([...literals.keys()], draw);
  const [first, second, third, ...rest] = order;
  if (first === undefined) return [];
  const levels = (i: number, wanted: number) => Math.min(wanted, (literals[i]?.most ?? 0) + 1);
  if (most <= 2) return [{ literals: [first], levels: 2 }];
  if (second === undefined) return [{ literals: [first], levels: levels(first, 8) }];
  if (third === undefined) {
    return [
      { literals: [first], levels: levels(first, 4) },
      { literals: [second], levels: 2 },
    ];
  }
  const groups = [[first], [second], [third]];
  for (const i of rest) groups[draw(0, 2)]?.push(i);
  return groups.map((group) => ({ literals: group, levels: 2 }));
}
