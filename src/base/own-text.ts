/**
 * The same text, for what is kept: a piece that was cut out of a longer text would keep all of that in memory, such as an
 * example's id the whole line of a journal.
 */
export function ownText(text: string): string {
  const copy: unknown = JSON.parse(JSON.stringify(text));
  return typeof copy === "string" ? copy : text;
}
