import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import HabitScreen from "./app/index";

const mocks = vi.hoisted(() => ({ push: vi.fn(), alert: vi.fn(), load: vi.fn(), save: vi.fn() }));

vi.mock("react-native", () => {
  const tag =
    (Name) =>
    ({ children, testID, accessibilityLabel, onPress }) => (
      <Name data-testid={testID} aria-label={accessibilityLabel} onClick={onPress}>
        {children}
      </Name>
    );
  return {
    View: tag("div"),
    Text: tag("span"),
    TouchableOpacity: tag("button"),
    ActivityIndicator: tag("progress"),
    StyleSheet: { create: (styles) => styles },
    Alert: { alert: mocks.alert },
  };
});

vi.mock("expo-router", () => ({ useRouter: () => ({ push: mocks.push }) }));

vi.mock("@/lib/habit-store", () => ({ loadHabits: mocks.load, saveHabits: mocks.save }));

const TODAY = new Date("2026-03-11T10:00:00Z");
const HABITS = [
  { id: "run", name: "Run", perWeek: 3, days: ["2026-03-08", "2026-03-09", "2026-03-10"] },
  { id: "read", name: "Read", perWeek: 7, days: ["2026-03-01", "2026-03-11"] },
];

async function show(habits = HABITS) {
  mocks.load.mockResolvedValue(habits);
  await act(async () => {
    render(<HabitScreen today={TODAY} />);
  });
}

const press = (id) => act(async () => fireEvent.click(screen.getByTestId(id)));

beforeEach(() => {
  for (const mock of Object.values(mocks)) mock.mockReset();
  mocks.save.mockResolvedValue(undefined);
});

afterEach(() => {
  cleanup();
});

describe("loading", () => {
  it("shows that it loads", () => {
    mocks.load.mockReturnValue(new Promise(() => undefined));
    render(<HabitScreen today={TODAY} />);
    expect(screen.getByTestId("loading")).toBeInTheDocument();
  });

  it("says when habits cannot be read", async () => {
    mocks.load.mockRejectedValue(new Error("disk"));
    await act(async () => {
      render(<HabitScreen today={TODAY} />);
    });
    expect(screen.getByTestId("error")).toHaveTextContent("Habits could not be read");
  });
});

describe("the list", () => {
  it("shows every habit with its streak", async () => {
    await show();
    expect(screen.getByTestId("open-run")).toHaveTextContent("Run3 days");
    expect(screen.getByTestId("open-read")).toHaveTextContent("Read1 day");
  });

  it("has no streak where yesterday was missed", async () => {
    await show([{ ...HABITS[0], days: ["2026-03-09"] }]);
    expect(screen.getByTestId("open-run")).toHaveTextContent("no streak");
  });

  it("shows the last seven days", async () => {
    await show();
    const labels = [...screen.getByTestId("row-run").querySelectorAll("[aria-label]")].map((dot) =>
      dot.getAttribute("aria-label"),
    );
    expect(labels).toEqual([
      "Run Th open",
      "Run Fr open",
      "Run Sa open",
      "Run Su done",
      "Run Mo done",
      "Run Tu done",
      "Run We open",
    ]);
  });

  it("tells how much of the week is done", async () => {
    await show();
    expect(screen.getByTestId("score")).toHaveTextContent("40 % of this week");
  });

  it("counts no more than was planned", async () => {
    await show([{ ...HABITS[0], perWeek: 2 }]);
    expect(screen.getByTestId("score")).toHaveTextContent("100 % of this week");
  });

  it("opens a habit", async () => {
    await show();
    await press("open-read");
    expect(mocks.push.mock.calls).toEqual([["/habits/read"]]);
  });
});

describe("days", () => {
  it("marks a day and saves it", async () => {
    await show();
    await press("run-2026-03-11");
    expect(screen.getByTestId("open-run")).toHaveTextContent("4 days");
    expect(mocks.save.mock.calls[0][0][0].days).toEqual(["2026-03-08", "2026-03-09", "2026-03-10", "2026-03-11"]);
  });

  it("takes a mark back", async () => {
    await show();
    await press("read-2026-03-11");
    expect(mocks.save.mock.calls[0][0][1].days).toEqual(["2026-03-01"]);
  });

  it("undoes a change that could not be saved", async () => {
    await show();
    mocks.save.mockRejectedValue(new Error("full"));
    await press("run-2026-03-11");
    expect(screen.getByTestId("open-run")).toHaveTextContent("3 days");
    expect(mocks.alert.mock.calls).toEqual([["Not saved", "The change was taken back."]]);
  });
});

describe("the filter", () => {
  it("shows what is open today alone", async () => {
    await show();
    await press("filter");
    expect(screen.queryByTestId("row-read")).toBeNull();
    expect(screen.getByTestId("row-run")).toBeInTheDocument();
    await press("filter");
    expect(screen.getByTestId("row-read")).toBeInTheDocument();
  });

  it("says when all is done", async () => {
    await show([HABITS[1]]);
    await press("filter");
    expect(screen.getByText("All done for today")).toBeInTheDocument();
  });

  it("offers to add one where there is none", async () => {
    await show([]);
    expect(screen.getByTestId("score")).toHaveTextContent("Nothing planned");
    await press("add");
    expect(mocks.push.mock.calls).toEqual([["/habits/new"]]);
  });
});
