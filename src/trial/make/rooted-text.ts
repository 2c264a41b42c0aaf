/**
 * A text for who has no root but that of its tree: `place`, such as `/app`, is the root of the tree, and `/logs/agent` is in
 * it.
 */
export function fromRoot(text: string, place: string): string {
  const root = place.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return text
    .replace(/(?<![\w./-])\/logs\/agent(?![\w-])/g, "logs/agent")
    .replace(new RegExp(`(?<![\\w./-])${root}/(?=[\\w.])`, "g"), "")
    .replace(new RegExp(`(?<![\\w./-])${root}(?![\\w-])`, "g"), ".");
}
