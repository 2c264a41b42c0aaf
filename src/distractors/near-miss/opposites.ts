/** Words that take each other's place in names, texts and code; each line a family. */
const FAMILIES = `
min max|first last|start end|begin end|add remove|enable disable|enabled disabled|before after|left right|up down|old new
open close|read write|input output|source target|source destination|from to|prev next|previous next|row column
width height|key value|request response|client server|inner outer|show hide|lock unlock|push pop|increment decrement
success failure|include exclude|head tail|parent child|lower upper|lowercase uppercase|top bottom|rows columns
any all|public private protected|true false|True False|TRUE FALSE|break continue|some every|log debug info warn error
trace debug|warn warning|and or|load store|create delete|encode decode|serialize deserialize|starts ends|keys values
floor ceil|shift unshift|empty present|visible hidden|valid invalid|local global|local remote|expected actual
attach detach|connect disconnect|register unregister|subscribe unsubscribe|allow deny|accept reject|internal external
static dynamic|sync async|const let|required optional|front back|horizontal vertical|inbound outbound|incoming outgoing
enter exit|forward backward|ascending descending|asc desc|positive negative|even odd|more less|greater less|get set
getter setter|acquire release|suspend resume|pause resume|start stop|started stopped|import export|upload download
send receive|sender receiver|sent received|save restore|pack unpack|compress decompress|day month|hour minute
minutes seconds|seconds millis|if unless|int long|float double|unsigned signed|short long|Error Warning
major minor|index count|size index|name id
default custom|username password|user group|file directory
NonNull Nullable|nonnull nullable|abstract final
Exception RuntimeException|ValueError TypeError KeyError RuntimeError|info warning error|assertEqual assertNotEqual|assertTrue assertFalse
`;

const OPPOSITES = new Map<string, string[]>();
for (const family of FAMILIES.split(/[|\n]/)) {
  const words = family.trim().split(" ");
  for (const word of words) {
    const others = words.filter((other) => other !== word);
    OPPOSITES.set(word, [...new Set([...(OPPOSITES.get(word) ?? []), ...others])]);
  }
}

/** Words that could stand for a word by mistake, in its letter case; none for most words. */
export function oppositesOf(word: string): string[] {
  const exact = OPPOSITES.get(word);
  if (exact !== undefined) return exact;
  return (OPPOSITES.get(word.toLowerCase()) ?? []).map((other) => inCaseOf(word, other));
}

/** `word` in the letter case of `model`: `LIMIT`, `Limit` or `limit`. */
export function inCaseOf(model: string, word: string): string {
  if (/^\p{Lu}{2,}$/u.test(model)) return word.toUpperCase();
  const small = word.toLowerCase();
  return /^\p{Lu}/u.test(model) ? small.slice(0, 1).toUpperCase() + small.slice(1) : small;
}

/** The words that a name is made of, as they stand in it: `readNextLine` has `read`, `Next` and `Line`. */
export function partsOfName(name: string): { readonly text: string; readonly start: number }[] {
  const parts = name.matchAll(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lo}+/gu);
  return Array.from(parts, ({ 0: text, index }) => ({ text, start: index }));
}
