import "./handlers/intake.js";
import "./handlers/issue.js";
import { lookUp } from "./registry.js";

const SIGNS = { "+": "intake", "-": "goods out" };

/** Depot of goods, which lines of commands change. */
export class Depot {
  stock = new Map();

  /** Does a line: a command, a good and a count. */
  run(line) {
    const [word, good, count] = line.split(" ");
    return lookUp(SIGNS[word] ?? word)(this.stock, good, Number(count));
  }
}
