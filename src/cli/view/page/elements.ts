/** The element of the page with this id. */
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`Expected an element #${id} in the page, found none.`);
  return found;
}

/** The field of the page with this id. */
export function fieldById(id: string): HTMLInputElement | HTMLSelectElement | HTMLButtonElement {
  const found = byId(id);
  if (found instanceof HTMLInputElement || found instanceof HTMLSelectElement || found instanceof HTMLButtonElement) {
    return found;
  }
  throw new Error(`Expected #${id} to be a field, found ${found.tagName}.`);
}
