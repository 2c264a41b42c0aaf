import type { Store } from "./store.js";

const START = "#question=";

/** The fragment that names a question, such as `#question=CL%20hard/c-tile-short-read`. */
export function questionAnchor(form: string, exampleId: string): string {
  return `${START}${encoded(form)}/${encoded(exampleId)}`;
}

export function linkOf(store: Store, index: number): string {
  const { form, example } = store.question(index);
  return questionAnchor(form.name, example.id);
}

/** The question that a fragment names; `null`: none. */
export function linkedQuestion(store: Store, fragment: string): number | null {
  if (!fragment.startsWith(START)) return null;
  const [form, id] = fragment.slice(START.length).split("/").map(decoded);
  for (let i = 0; i < store.count; i++) {
    if (store.data.forms[store.formOf(i)]?.name !== form) continue;
    if (store.exampleOf(i)?.id.toWellFormed() === id) return i;
  }
  return null;
}

/** Half a character of two has no place in an address. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
