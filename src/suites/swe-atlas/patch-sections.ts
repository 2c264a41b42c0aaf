/** Part of a patch about one file. */
interface PatchSection {
  /** Its path behind the change, or before it where it is deleted. */
  readonly path: string;
  readonly text: string;
}

/** The files of a patch as git writes it, in its order. */
export function patchSections(patch: string): PatchSection[] {
  const starts = [...patch.matchAll(/^diff --git /gm)].map(({ index }) => index);
  return starts.map((start, i) => {
    const text = patch.slice(start, starts[i + 1] ?? patch.length);
    return { path: pathOf(text), text };
  });
}

function pathOf(section: string): string {
  const [head = ""] = section.split("\n");
  // Both names of a file that is neither made nor renamed are the same.
  const name =
    /^\+\+\+ ("?b\/.*?"?)\t?$/m.exec(section)?.[1] ??
    /^--- ("?a\/.*?"?)\t?$/m.exec(section)?.[1] ??
    / ("?b\/.*?"?)$/.exec(head)?.[1] ??
    "";
  return plainName(name).slice("b/".length);
}

const ESCAPES: Readonly<Record<string, string>> = {
  a: "\u0007",
  b: "\b",
  t: "\t",
  n: "\n",
  v: "\v",
  f: "\f",
  r: "\r",
};

/** A name that git may have quoted: within quotes it writes bytes over 127 as three octal digits. */
function plainName(name: string): string {
  const quoted = /^"(.*)"$/.exec(name)?.[1];
  if (quoted === undefined) return name;
  const parts = quoted.match(/\\[0-7]{3}|\\.|[^\\]+/g) ?? [];
  const bytes = parts.map((part) => {
    if (!part.startsWith("\\")) return Buffer.from(part);
    const code = part.slice(1);
    return /^[0-7]{3}$/.test(code) ? Buffer.from([Number.parseInt(code, 8)]) : Buffer.from(ESCAPES[code] ?? code);
  });
  return Buffer.concat(bytes).toString("utf8");
}

/** A patch that makes one file. */
export function newFilePatch(path: string, content: string): string {
  const lines = content.replace(/\n$/, "").split("\n");
  return (
    `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n` +
    `@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}\n`).join("")}`
  );
}
