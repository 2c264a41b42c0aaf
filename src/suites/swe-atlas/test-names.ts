/** The names of a manifest: the `tests` of a JSON object, else its bullets that name no file; each once, sorted. */
export function manifestNames(manifest: string): string[] {
  const names = jsonNames(manifest) ?? bulletNames(manifest);
  return [...new Set(names.map((name) => name.trim()).filter((name) => name !== ""))].sort();
}

function jsonNames(manifest: string): string[] | null {
  try {
    const value: unknown = JSON.parse(manifest);
    if (typeof value !== "object" || value === null || !("tests" in value) || !Array.isArray(value.tests)) return null;
    const entries: unknown[] = value.tests;
    return entries.map((entry) => {
      if (typeof entry !== "object" || entry === null) return String(entry);
      return "name" in entry ? String(entry.name) : "";
    });
  } catch {
    return null;
  }
}

function bulletNames(manifest: string): string[] {
  return manifest
    .split("\n")
    .map((line) => /^\s*-\s*(.*?)\s*$/.exec(line)?.[1] ?? "")
    .filter((item) => !/^file:|^tests?:$/i.test(item))
    .map(unquoted);
}

function unquoted(text: string): string {
  return /^(["'])(.*)\1$/s.exec(text)?.[2]?.trim() ?? text;
}

/** Tests if a test that ran is one of a manifest: some form of its name is some form of a listed one. */
export function isListed(name: string, manifest: readonly string[]): boolean {
  const forms = runnerForms(name);
  return manifest.some((each) => manifestForms(each).some((form) => forms.has(form)));
}

/** A runner's name whole, its last part, its last two, and what stands before a description. */
function runnerForms(name: string): ReadonlySet<string> {
  const plain = normal(name);
  const bars = partsOf(plain, " | ");
  const colons = partsOf(plain, "::");
  const [beforeDash = ""] = plain.split(" - ");
  return new Set([
    plain,
    beforeDash.trim(),
    bars.last,
    colons.last,
    bars.two.join(" | "),
    colons.two.join("::"),
    colons.two.join("."),
  ]);
}

/** A name of a manifest: whole, or less what stands before its last part or its last two, by its language's separator. */
function manifestForms(name: string): string[] {
  const plain = normal(name);
  const [bars, colons, dots] = [partsOf(plain, " | "), partsOf(plain, "::"), partsOf(plain, ".")];
  return [
    plain,
    colons.last,
    dots.last,
    bars.two.join(" | "),
    colons.two.join("::"),
    colons.two.join("."),
    dots.two.join("."),
    ...(plain.includes("/") ? [plain.replaceAll(" ", "_")] : []),
  ];
}

function partsOf(name: string, separator: string): { readonly last: string; readonly two: readonly string[] } {
  const parts = name
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== "");
  return { last: parts.at(-1) ?? name, two: parts.slice(-2) };
}

/** Quotes and outer blanks off, ` > ` for ` | `, blanks folded, small letters. */
function normal(name: string): string {
  return unquoted(name.trim()).replaceAll(" > ", " | ").replace(/\s+/g, " ").toLowerCase();
}

/**
 * Tests if a test is one of those listed: its name equals, holds or is held by a listed one, or its last part behind `
 * | ` ends one, its last part behind `::` or its first before `/` equals one. Letters of either case are not the same.
 */
export function isRelevant(name: string, listed: readonly string[]): boolean {
  const afterBar = lastPart(name, " | ");
  const afterColons = lastPart(name, "::");
  const [beforeSlash] = name.split("/");
  return listed.some(
    (each) =>
      name.includes(each) ||
      each.includes(name) ||
      (name.includes(" | ") && each.endsWith(afterBar)) ||
      (name.includes("::") && each === afterColons) ||
      (name.includes("/") && each === beforeSlash),
  );
}

function lastPart(name: string, separator: string): string {
  return name.split(separator).at(-1) ?? name;
}
