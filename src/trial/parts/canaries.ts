/** Strings that data carry so that a model which continues them has seen the data. */
const CANARY = /canary\s+GUID\s+[\w.:/-]*[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/** The canary strings of a text, each once, in their order. */
export function canariesIn(text: string): string[] {
  return [...new Set(text.match(CANARY) ?? [])];
}
