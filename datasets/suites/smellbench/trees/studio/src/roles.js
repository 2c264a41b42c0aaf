// Roles of devices.

/** Device that puts pages on paper. */
export class Printing {
  print(page) {
    throw new Error(`nothing can print ${page}`);
  }
}

/** Device that takes sheets in. */
export class Scanning {
  scan(sheet) {
    throw new Error(`nothing can scan ${sheet}`);
  }
}
