/** Numbers that somebody could have meant instead, written alike: one or two more or fewer, half, twice, ten times as many. */
export function nearNumbers(text: string): string[] {
  const parts = /^(0[xX])?([\da-fA-F]+)$/u.exec(text);
  const [prefix = "", digits = ""] = parts?.slice(1) ?? [];
  const base = prefix === "" ? 10 : 16;
  const value = Number.parseInt(digits, base);
  if (!Number.isSafeInteger(value * 10) || (base === 10 && !/^\d+$/.test(digits))) return [];
  const near = [...stepsFrom(value), value + 2, value - 2, value + 4];
  const width = digits.startsWith("0") ? digits.length : 0;
  const written = near
    .filter((number) => number >= 0 && Number.isInteger(number) && number !== value)
    .map((number) => prefix + number.toString(base).padStart(width, "0"));
  return [...new Set(written)];
}

/** A round number by its order or half; another by one. */
function stepsFrom(value: number): number[] {
  if (value >= 10 && value % 10 === 0) return [value * 10, value / 10, value * 2, value / 2];
  return value < 10 ? [value + 1, value - 1] : [value + 1, value - 1, value * 2];
}

/** Words that carry no meaning of their own: neither masked, nor put where a word was. */
const FUNCTION_WORDS = new Set(
  (
    "about above after again all also and another any are because been before being below between both but can could " +
    "did does doing done down during each either else even ever every few for from get gets got had has have having " +
    "here how however into its itself just less let like many may maybe might more most much must need neither nor not " +
    "now off once one only onto other our out over own per please quite rather really same seems shall she should since " +
    "some such than that the their them then there these they thing things think this those though through too toward " +
    "two under until upon use used uses using very via want was way well were what when where whether which while who " +
    "accordingly advisable advised appear appears appropriate apologies based becomes beneficial better cannot certain " +
    "clarity confusion consider considered considering consistently correct correctly current currently directly entire " +
    "explicit explicitly feasible following further given improve improved improvement incorrect instead involves " +
    "necessary perhaps possible possibly potential potentially prefer preferable preferred previous previously probably " +
    "proposed question reason recommend recommendation recommended redundant regarding request requested required " +
    "requires seem sense similar specific specifically suggest suggested suggestion superfluous sure together unclear " +
    "unnecessary utilize utilized whose why will with within without would yes yet you your isn't don't doesn't can't won't it's i'm we're that's"
  ).split(" "),
);

/** Tells whether a word of prose can stand for what a sentence is about. */
export function isContentWord(word: string): boolean {
  return word.length >= 4 && !FUNCTION_WORDS.has(word.toLowerCase().replace("’", "'"));
}
