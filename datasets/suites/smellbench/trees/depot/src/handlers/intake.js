import { register } from "../registry.js";

function takeIn(stock, good, count) {
  stock.set(good, (stock.get(good) ?? 0) + count);
  return `${good}: ${stock.get(good)}`;
}

register("intake", takeIn);
