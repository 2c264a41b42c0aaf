import { distance } from "fastest-levenshtein";
import type { Argv } from "yargs";

/** Nothing was asked for: the help says what can be. */
export class NothingAsked extends Error {
  override readonly name = "NothingAsked";
}

/** Message about arguments that the parser refuses, as whole sentences, with the words that were probably meant. */
export function usageText(message: string | null, parser: Argv, args: readonly string[]): string {
  const text = (message ?? "Bad usage").trim();
  const missing = /^Not enough non-option arguments: got (\d+), need at least (\d+)$/.exec(text);
  if (missing !== null) {
    const [, found, least] = missing;
    return `Expected at least ${least} argument${least === "1" ? "" : "s"} after the command, found ${found}.`;
  }
  const valueless = /^Not enough arguments following: (.+)$/.exec(text);
  if (valueless !== null) return `Expected a value after --${valueless[1]}, found none.`;
  const unknown = /^Unknown arguments?: (.+)$/.exec(text);
  if (unknown?.[1] !== undefined) return unknownText(unknown[1].split(", "), flagsOf(parser), args);
  return /[.?!]$/.test(text) ? text : `${text}.`;
}

/** Each unknown name once: the parser lists `--no-such` as `noSuch` too. */
function unknownText(names: readonly string[], flags: readonly string[], args: readonly string[]): string {
  const repeated = new Set(names.filter((name) => name.includes("-")).map(camelCase));
  const once = names.filter((name) => !repeated.has(name));
  const words = once.filter((name) => args.includes(name));
  const shown = once.map((name) => (words.includes(name) ? name : asFlag(name)));
  const hints = once.flatMap((name) => (words.includes(name) ? wordHint(name, flags) : flagHint(name, flags)));
  return [`Unknown argument${once.length === 1 ? "" : "s"}: ${shown.join(", ")}.`, ...hints].join(" ");
}

function flagHint(name: string, flags: readonly string[]): string[] {
  const most = Math.max(1, Math.floor(name.length / 3));
  const near = flags
    .map((flag) => ({ flag, far: flag.startsWith(name) ? 0 : distance(flag, name) }))
    .filter(({ far }) => far <= most)
    .sort((a, b) => a.far - b.far)
    .slice(0, 3);
  return near.length === 0 ? [] : [`Did you mean ${near.map(({ flag }) => `--${flag}`).join(" or ")}?`];
}

/** A word that stands alone where a model is asked for is its name. */
function wordHint(word: string, flags: readonly string[]): string[] {
  return flags.includes("model") ? [`A model is named by --model: --model ${word}.`] : [];
}

function asFlag(name: string): string {
  return `${name.length === 1 ? "-" : "--"}${name}`;
}

function camelCase(name: string): string {
  return name.replace(/-+([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** The names of the options of the command that failed, as they are typed; the parser's types do not tell of them. */
function flagsOf(parser: object): string[] {
  const options: unknown =
    "getOptions" in parser && typeof parser.getOptions === "function" ? parser.getOptions() : null;
  if (typeof options !== "object" || options === null || !("key" in options)) return [];
  return Object.keys(options.key ?? {}).filter((name) => name.length > 1 && !/[A-Z]/.test(name));
}
