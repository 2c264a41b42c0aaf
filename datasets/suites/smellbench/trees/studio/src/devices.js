import { Printing, Scanning } from "./roles.js";

/** Press for one format. */
export class Press extends Printing {
  constructor(format) {
    super();
    this.format = format;
  }

  print(page) {
    return `${this.format}: ${page}`;
  }
}

/** Camera over a table. */
export class Camera extends Scanning {
  scan(sheet) {
    return sheet.toUpperCase();
  }
}
