import { beforeEach, describe, expect, it, vi } from "vitest";
import { query } from "@/lib/db";
import { GET, HEAD } from "./app/api/report/route";

vi.mock("@/lib/db", () => ({ query: vi.fn() }));

const ORDERS = [
  { placed_at: "2026-03-02T09:00:00Z", customer: "Ada", quantity: 2, unit_price: 10, discount: null, cancelled: false },
  { placed_at: "2026-03-02T17:30:00Z", customer: "Bo, Inc", quantity: 1, unit_price: 99.99, discount: 0.1, cancelled: false },
  { placed_at: "2026-03-05T08:00:00Z", customer: "Ada", quantity: 3, unit_price: 0.35, discount: 0, cancelled: false },
  { placed_at: "2026-03-05T08:01:00Z", customer: "Cy", quantity: 9, unit_price: 5, discount: 0, cancelled: true },
  { placed_at: "2026-04-01T00:00:00Z", customer: "Ada", quantity: 1, unit_price: 4, discount: 0.25, cancelled: false },
];

const get = (search) => GET(new Request(`http://localhost/api/report?${search}`));
const MARCH = "from=2026-03-01&to=2026-04-30";
const linesOf = async (reply) => (await reply.text()).split("\r\n");

beforeEach(() => {
  vi.mocked(query).mockReset().mockResolvedValue(ORDERS);
});

describe("parameters", () => {
  it("asks the database for whole days, the last one too", async () => {
    await get("from=2026-03-01&to=2026-03-31");
    expect(query).toHaveBeenCalledTimes(1);
    expect(query.mock.calls[0][1]).toEqual(["2026-03-01T00:00:00.000Z", "2026-04-01T00:00:00.000Z"]);
  });

  it("takes a single day", async () => {
    expect((await get("from=2026-03-02&to=2026-03-02")).status).toBe(200);
  });

  it.each([
    ["to=2026-03-01", "from is missing"],
    ["from=2026-03-01", "to is missing"],
    ["from=yesterday&to=2026-03-01", "from is no day: yesterday"],
    ["from=2026-13-01&to=2026-03-01", "from is no day: 2026-13-01"],
    ["from=2026-03-02&to=2026-03-01", "from is after to"],
    ["from=2020-01-01&to=2026-03-01", "more than 366 days"],
    ["from=2026-03-01&to=2026-03-02&by=moon", "cannot group by moon"],
  ])("refuses %s", async (search, error) => {
    const reply = await get(search);
    expect([reply.status, await reply.json()]).toEqual([400, { error }]);
    expect(query).not.toHaveBeenCalled();
  });
});

describe("groups", () => {
  it("groups by day unless told otherwise", async () => {
    const lines = await linesOf(await get(MARCH));
    expect(lines[0]).toBe("day,orders,quantity,gross,discount,net");
    expect(lines[1]).toBe("2026-03-02,2,3,119.99,10.00,109.99");
    expect(lines).toHaveLength(5);
  });

  it("groups by month", async () => {
    const lines = await linesOf(await get(`${MARCH}&by=month`));
    expect(lines.slice(1, 3)).toEqual(["2026-03,3,6,121.04,10.00,111.04", "2026-04,1,1,4.00,1.00,3.00"]);
  });

  it("groups by customer, in the order of names", async () => {
    const lines = await linesOf(await get(`${MARCH}&by=customer`));
    expect(lines[0]).toBe("customer,orders,quantity,gross,discount,net");
    expect(lines[1]).toBe("Ada,3,6,25.05,1.00,24.05");
  });

  it("leaves cancelled orders out", async () => {
    expect(await (await get(`${MARCH}&by=customer`)).text()).not.toContain("Cy");
  });

  it("adds a total when asked", async () => {
    const lines = await linesOf(await get(`${MARCH}&by=month&total=yes`));
    expect(lines[3]).toBe("total,4,7,125.04,11.00,114.04");
  });
});

describe("the file", () => {
  it("quotes what holds a separator", async () => {
    expect(await (await get(`${MARCH}&by=customer`)).text()).toContain('"Bo, Inc",1,1,99.99,10.00,89.99');
  });

  it("takes semicolons", async () => {
    const lines = await linesOf(await get(`${MARCH}&by=customer&separator=semicolon`));
    expect(lines[2]).toBe("Bo, Inc;1;1;99.99;10.00;89.99");
  });

  it("disarms what a spreadsheet would compute", async () => {
    vi.mocked(query).mockResolvedValue([{ ...ORDERS[0], customer: "=1+1" }]);
    expect((await linesOf(await get(`${MARCH}&by=customer`)))[1]).toBe("'=1+1,1,2,20.00,0.00,20.00");
  });

  it("doubles quotes", async () => {
    vi.mocked(query).mockResolvedValue([{ ...ORDERS[0], customer: 'The "A"' }]);
    expect((await linesOf(await get(`${MARCH}&by=customer`)))[1]).toBe('"The ""A""",1,2,20.00,0.00,20.00');
  });

  it("has a name that says what is in it", async () => {
    const { headers } = await get(`${MARCH}&by=month`);
    expect(headers.get("content-disposition")).toBe(
      'attachment; filename="orders-by-month-2026-03-01-2026-04-30.csv"',
    );
    expect(headers.get("content-type")).toBe("text/csv; charset=utf-8");
  });
});

describe("other replies", () => {
  it("has nothing to send where there is no order", async () => {
    vi.mocked(query).mockResolvedValue([]);
    const reply = await get(MARCH);
    expect([reply.status, await reply.text()]).toEqual([204, ""]);
  });

  it("tells nobody why the database failed", async () => {
    const logged = vi.spyOn(console, "error").mockReturnValue();
    vi.mocked(query).mockRejectedValue(new Error("password wrong"));
    const reply = await get(MARCH);
    expect([reply.status, await reply.json()]).toEqual([500, { error: "the report could not be made" }]);
    expect(logged).toHaveBeenCalledTimes(1);
    logged.mockRestore();
  });

  it("counts without a file", async () => {
    const { headers } = await HEAD(new Request(`http://localhost/api/report?${MARCH}`, { method: "HEAD" }));
    expect([headers.get("x-orders"), headers.get("x-net")]).toEqual(["4", "114.04"]);
  });
});
