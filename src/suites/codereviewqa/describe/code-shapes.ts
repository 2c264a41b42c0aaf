/**
 * Ways to write a word that stand in code and hardly ever in prose; tested on the word without quotes around it. Each
 * takes time linear in the word's length: comments are untrusted.
 */
const SHAPES: readonly RegExp[] = [
  // snake_case, ALL_CAPS, __dunder__
  /[\p{L}\p{N}]_+[\p{L}\p{N}]|^__[\p{L}\p{N}]+__$/u,
  // _private, but not _emphasis_
  /^_+[\p{L}\p{N}]+$/u,
  // camelCase, PascalCase, but not kHz
  /^(?=.{4}).*\p{Ll}\p{Lu}|\p{L}\p{N}+\p{Lu}\p{Ll}/u,
  // HTTPServer, but not ACKed
  /\p{Lu}{2}(?!(?:ed|es|ers?|ing)$)\p{Ll}{2}/u,
  // call(), call(argument, but not file(s)
  /[\p{L}\p{N}_$>]\((?!e?s\))/u,
  // object.member, file.ext, but not 2.x
  /(?:(?<![\p{L}\p{N}_])[\p{L}_][\p{L}\p{N}_]*|[)\]])\.[\p{L}_]/u,
  // pointer->member
  /[\p{L}\p{N}_)\]]->[\p{L}_]/u,
  // scope::name
  /::[\p{L}_~]/u,
  // comparison, but not a ruler of ====; logic
  /(?<!=)={2,3}(?!=)|!=|<=|>=|&&|\|\|/,
  // increment and compound assignment, but not C++
  /(?<![cC])\+\+|[-+*/|&^%]=/,
  // name=value
  /[\p{L}\p{N}_)\]]=[^=]/u,
  // array[0], but not a [link](address)
  /[\p{L}\p{N}_)\]]\[[^[\]]*\](?!\()/u,
  // empty brackets
  /^(?:\{\}|\[\]|\(\))$/,
  // Map<String>; <tag>, </tag>
  /\p{L}<[\p{L}?][^<>]*>|^<\/?\p{L}[\p{L}\p{N}-]*\/?>$/u,
  // $variable, with or without braces
  /^\$\{?[\p{L}_]/u,
  // --flag
  /^--\p{L}[\p{L}\p{N}-]*$/u,
  // #include and its like, but not #123
  /^#(?:include|define|undef|if|ifdef|ifndef|endif|pragma)$/,
  // 0xff
  /^0x[\da-f]+$/i,
  // /a/path, ./path, ../path, ~/path, but not /cc
  /^(?:(?:\.{1,2}|~)\/|\/[\p{L}\p{N}_.-]+\/)[\p{L}\p{N}_.]/u,
];

/** Prose that is spelled like code: product names, addresses, abbreviations. Taken out of a word before it is looked at. */
const PROSE: readonly RegExp[] = [
  /(?:https?|ftp):\/\/\S*/giu,
  // A person, unless more follows that no user name holds; that the code holds `@Name` is for countWords to see.
  /(?<![\p{L}\p{N}_])@[\p{L}\p{N}-]+(?![\p{L}\p{N}_(-]|[./]\p{L})/gu,
  /(?<![\p{L}\p{N}._-])[\p{L}\p{N}._-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu,
  /(?<![\p{L}\p{N}.-])[\p{L}\p{N}-]+\.(?:com|org)(?:\/\S*)?$/giu,
  /(?<![\p{L}\p{N}])(?:a\.k\.a|a\.m|e\.g|i\.e|n\.b|p\.m|p\.s|u\.s|w\.r\.t)(?![\p{L}\p{N}])/giu,
  new RegExp(
    "(?<![\\p{L}\\p{N}_.])(?:asp\\.net|bitbucket|coffeescript|devops|facebook|github|gitlab|graphql|iphone|ios|ipad|" +
      "intellij|javadoc|javascript|jquery|jsdoc|latex|linkedin|macos|mongodb|mysql|nodejs|node\\.js|nosql|numpy|openapi|" +
      "opengl|openmp|openssl|phpdoc|phpstorm|phpunit|postgresql|powershell|pycharm|pytorch|rubocop|rubymine|sqlite|" +
      "stackoverflow|tensorflow|typescript|vue\\.js|webassembly|websockets?|wifi|youtube)(?![\\p{L}\\p{N}_(])",
    "giu",
  ),
];

/**
 * Whether a whitespace-separated word is written as only code is: by its case, its brackets, its operators. Known
 * limits: a plain word that happens to name a variable (`size`) is not recognised, a brand such as "McDonald" is.
 */
export function looksLikeCode(word: string): boolean {
  const bare = PROSE.reduce((rest, prose) => rest.replace(prose, ""), withoutQuotes(word));
  return SHAPES.some((shape) => shape.test(bare));
}

/** Without the quotes, emphasis, brackets and sentence marks around it; a bracket that the word itself opens stays. */
function withoutQuotes(word: string): string {
  const rest = word.replace(/^["'“”‘’*([]+(?=[\p{L}\p{N}_$<{[(/.\-~#])/u, "");
  const closing = `"'“”‘’*.,;:!?…${rest.includes("(") ? "" : ")"}${rest.includes("[") ? "" : "]"}`;
  let end = rest.length;
  while (end > 0 && closing.includes(rest.charAt(end - 1))) end--;
  return rest.slice(0, end);
}
