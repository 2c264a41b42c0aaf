import { query } from "@/lib/db";

const GROUPINGS = ["day", "month", "customer"];
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MOST_DAYS = 366;
const DAY_MS = 86_400_000;

/** A request that cannot be answered, with the status that says so. */
class RequestError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

function readDay(parameters, name) {
  const text = parameters.get(name);
  if (text === null) throw new RequestError(400, `${name} is missing`);
  const time = Date.parse(`${text}T00:00:00Z`);
  if (!DAY.test(text) || Number.isNaN(time)) throw new RequestError(400, `${name} is no day: ${text}`);
  return new Date(time);
}

function readGrouping(parameters) {
  const grouping = parameters.get("by") ?? "day";
  if (!GROUPINGS.includes(grouping)) throw new RequestError(400, `cannot group by ${grouping}`);
  return grouping;
}

function readParameters(url) {
  const parameters = new URL(url).searchParams;
  const from = readDay(parameters, "from");
  const to = readDay(parameters, "to");
  if (from > to) throw new RequestError(400, "from is after to");
  if ((to - from) / DAY_MS > MOST_DAYS) throw new RequestError(400, `more than ${MOST_DAYS} days`);
  return {
    from,
    to,
    grouping: readGrouping(parameters),
    withTotal: parameters.get("total") === "yes",
    separator: parameters.get("separator") === "semicolon" ? ";" : ",",
  };
}

const ORDERS_SQL =
  "select placed_at, customer, quantity, unit_price, discount, cancelled from orders where placed_at >= $1 and placed_at < $2";

async function readOrders({ from, to }) {
  const end = new Date(to.getTime() + DAY_MS);
  const rows = await query(ORDERS_SQL, [from.toISOString(), end.toISOString()]);
  return rows.filter((row) => !row.cancelled).map(toOrder);
}

function toOrder(row) {
  const discount = row.discount ?? 0;
  const gross = row.quantity * row.unit_price;
  return {
    day: row.placed_at.slice(0, 10),
    customer: row.customer,
    quantity: row.quantity,
    gross,
    discount: roundCents(gross * discount),
    net: roundCents(gross * (1 - discount)),
  };
}

function roundCents(amount) {
  return Math.round((amount + Number.EPSILON) * 100) / 100;
}

function keyOf(order, grouping) {
  if (grouping === "customer") return order.customer;
  return grouping === "month" ? order.day.slice(0, 7) : order.day;
}

function emptyGroup(key) {
  return { key, orders: 0, quantity: 0, gross: 0, discount: 0, net: 0 };
}

function addOrder(group, order) {
  group.orders += 1;
  group.quantity += order.quantity;
  group.gross = roundCents(group.gross + order.gross);
  group.discount = roundCents(group.discount + order.discount);
  group.net = roundCents(group.net + order.net);
}

function groupOrders(orders, grouping) {
  const groups = new Map();
  for (const order of orders) {
    const key = keyOf(order, grouping);
    if (!groups.has(key)) groups.set(key, emptyGroup(key));
    addOrder(groups.get(key), order);
  }
  return [...groups.values()].sort((left, right) => (left.key < right.key ? -1 : left.key > right.key ? 1 : 0));
}

function totalOf(orders) {
  const total = emptyGroup("total");
  for (const order of orders) addOrder(total, order);
  return total;
}

const COLUMNS = ["key", "orders", "quantity", "gross", "discount", "net"];
const MONEY = new Set(["gross", "discount", "net"]);

function quoteCell(text, separator) {
  const safe = /^[=+@-]/.test(text) ? `'${text}` : text;
  return safe.includes(separator) || /["\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function cellText(group, column, separator) {
  const value = group[column];
  if (MONEY.has(column)) return value.toFixed(2);
  return typeof value === "number" ? String(value) : quoteCell(value, separator);
}

function toCsv(groups, { grouping, separator }) {
  const header = COLUMNS.map((column) => (column === "key" ? grouping : column));
  const lines = groups.map((group) => COLUMNS.map((column) => cellText(group, column, separator)));
  return `${[header, ...lines].map((cells) => cells.join(separator)).join("\r\n")}\r\n`;
}

function fileName({ from, to, grouping }) {
  const day = (date) => date.toISOString().slice(0, 10);
  return `orders-by-${grouping}-${day(from)}-${day(to)}.csv`;
}

function csvReply(text, parameters) {
  return new Response(text, {
    status: 200,
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="${fileName(parameters)}"`,
      "cache-control": "no-store",
    },
  });
}

function errorReply(error) {
  if (error instanceof RequestError) return Response.json({ error: error.message }, { status: error.status });
  console.error(error);
  return Response.json({ error: "the report could not be made" }, { status: 500 });
}

/** The orders between two days, by day, month or customer, as CSV. */
export async function GET(request) {
  try {
    const parameters = readParameters(request.url);
    const orders = await readOrders(parameters);
    if (orders.length === 0) return new Response(null, { status: 204 });
    const groups = groupOrders(orders, parameters.grouping);
    if (parameters.withTotal) groups.push(totalOf(orders));
    return csvReply(toCsv(groups, parameters), parameters);
  } catch (error) {
    return errorReply(error);
  }
}

/** The same without the file: how many orders there are, and what they come to. */
export async function HEAD(request) {
  try {
    const orders = await readOrders(readParameters(request.url));
    const total = totalOf(orders);
    return new Response(null, {
      status: 200,
      headers: { "x-orders": String(total.orders), "x-net": total.net.toFixed(2) },
    });
  } catch (error) {
    return errorReply(error);
  }
}
