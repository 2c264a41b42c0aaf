/** Proofs of pages, by what prints. */
export function proofs(printing, pages) {
  return pages.map((page) => printing.print(page));
}

/** Sheets as they are kept, by what scans. */
export function archived(scanning, sheets) {
  return sheets.map((sheet) => scanning.scan(sheet));
}
