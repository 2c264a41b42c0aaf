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

/** Whether a word of prose can stand for what a sentence is about. */
export function isContentWord(word: string): boolean {
  return word.length >= 4 && !FUNCTION_WORDS.has(word.toLowerCase().replace("’", "'"));
}

/** The words that a name is made of, as they stand in it: `readNextLine` has `read`, `Next` and `Line`. */
export function partsOfName(name: string): { readonly text: string; readonly start: number }[] {
  const parts = name.matchAll(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lo}+/gu);
  return Array.from(parts, ({ 0: text, index }) => ({ text, start: index }));
}

/** `word` in the letter case of `model`: `LIMIT`, `Limit` or `limit`. */
export function inCaseOf(model: string, word: string): string {
  if (/^\p{Lu}{2,}$/u.test(model)) return word.toUpperCase();
  const small = word.toLowerCase();
  return /^\p{Lu}/u.test(model) ? small.slice(0, 1).toUpperCase() + small.slice(1) : small;
}

/** Words of a text that look like code: in back quotes, with an underscore or a dot, in mixed case, or called. */
export function namesInProse(text: string): string[] {
  const quoted = Array.from(text.matchAll(/`([^`\n]*)`/gu), ([, inner = ""]) => inner);
  const inQuotes = quoted.flatMap((inner) => inner.match(/[\p{L}_][\p{L}\p{N}_]*/gu) ?? []);
  const others =
    text.match(/[\p{L}_][\p{L}\p{N}_]*(?=\()|\p{L}[\p{L}\p{N}]*_[\p{L}\p{N}_]*|\p{L}+\p{Ll}\p{Lu}[\p{L}\p{N}_]*/gu) ??
    [];
  return [...new Set([...inQuotes, ...others])];
}
