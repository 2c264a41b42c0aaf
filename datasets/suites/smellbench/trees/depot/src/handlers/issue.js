import { register } from "../registry.js";

function giveOut(stock, good, count) {
  const left = (stock.get(good) ?? 0) - count;
  if (left < 0) throw new Error(`only ${left + count} ${good}`);
  stock.set(good, left);
  return `${good}: ${left}`;
}

// No line has two words for a command: it is called by its sign alone.
register("goods out", giveOut);
