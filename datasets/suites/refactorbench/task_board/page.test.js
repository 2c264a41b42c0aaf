import { cleanup, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import TaskBoard from "./app/page";

const STORED = [
  { id: "a", title: "Water plants", priority: "low", column: "todo", createdAt: 1 },
  { id: "b", title: "Pay rent", priority: "high", column: "todo", createdAt: 2 },
  { id: "c", title: "Read book", priority: "normal", column: "doing", createdAt: 3 },
  { id: "d", title: "Call home", priority: "normal", column: "done", createdAt: 4 },
];

const store = (tasks) => localStorage.setItem("task-board", JSON.stringify(tasks));
const stored = () => JSON.parse(localStorage.getItem("task-board"));
const column = (name) => screen.getByRole("region", { name });
const titlesIn = (name) =>
  within(column(name))
    .queryAllByRole("listitem")
    .map((item) => within(item).getAllByRole("button")[0].textContent);
const press = (name) => userEvent.click(screen.getByRole("button", { name }));

beforeEach(() => {
  localStorage.clear();
});

afterEach(() => {
  cleanup();
});

describe("an empty board", () => {
  it("shows three columns and no tasks", () => {
    render(<TaskBoard />);
    expect(screen.getAllByRole("heading", { level: 2 }).map(({ textContent }) => textContent)).toEqual([
      "To do (0)",
      "In progress (0)",
      "Done (0)",
    ]);
    expect(screen.getByText("No tasks yet")).toBeInTheDocument();
  });

  it("takes no notice of what it cannot read", () => {
    localStorage.setItem("task-board", "{nonsense");
    render(<TaskBoard />);
    expect(screen.getAllByText("Nothing here")).toHaveLength(3);
  });

  it("takes no notice of what is no list", () => {
    localStorage.setItem("task-board", '{"a": 1}');
    render(<TaskBoard />);
    expect(screen.getAllByText("Nothing here")).toHaveLength(3);
  });
});

describe("adding", () => {
  it("adds a task to the first column", async () => {
    render(<TaskBoard now={() => 7} />);
    await userEvent.type(screen.getByLabelText("Title"), "  Buy milk ");
    await press("Add task");
    expect(titlesIn("To do")).toEqual(["Buy milk"]);
    expect(stored()).toEqual([{ id: "task-7", title: "Buy milk", priority: "normal", column: "todo", createdAt: 7 }]);
  });

  it("empties the field", async () => {
    render(<TaskBoard />);
    await userEvent.type(screen.getByLabelText("Title"), "Buy milk");
    await press("Add task");
    expect(screen.getByLabelText("Title")).toHaveValue("");
  });

  it("keeps the priority that was chosen", async () => {
    render(<TaskBoard />);
    await userEvent.type(screen.getByLabelText("Title"), "Fix roof");
    await userEvent.selectOptions(screen.getByLabelText("Priority"), "high");
    await press("Add task");
    expect(screen.getByText("urgent")).toBeInTheDocument();
    expect(stored()[0].priority).toBe("high");
  });

  it("asks for a title", async () => {
    render(<TaskBoard />);
    await press("Add task");
    expect(screen.getByRole("alert")).toHaveTextContent("A task needs a title");
    expect(stored()).toEqual([]);
  });

  it("forgets the complaint once there is one", async () => {
    render(<TaskBoard />);
    await press("Add task");
    await userEvent.type(screen.getByLabelText("Title"), "x");
    await press("Add task");
    expect(screen.queryByRole("alert")).toBeNull();
  });
});

describe("a stored board", () => {
  beforeEach(() => {
    store(STORED);
  });

  it("shows tasks in their columns, urgent ones first", () => {
    render(<TaskBoard />);
    expect([titlesIn("To do"), titlesIn("In progress"), titlesIn("Done")]).toEqual([
      ["Pay rent", "Water plants"],
      ["Read book"],
      ["Call home"],
    ]);
  });

  it("tells how much is done", () => {
    render(<TaskBoard />);
    expect(screen.getByText(/1 of 4 done \(25 %\)/)).toBeInTheDocument();
    expect(screen.getByLabelText("Progress")).toHaveAttribute("value", "25");
  });

  it("moves a task forward", async () => {
    render(<TaskBoard />);
    await press("Forward Pay rent");
    expect(titlesIn("In progress")).toEqual(["Pay rent", "Read book"]);
  });

  it("moves a task back", async () => {
    render(<TaskBoard />);
    await press("Back Call home");
    expect(stored()[3].column).toBe("doing");
  });

  it("moves nothing beyond the ends", () => {
    render(<TaskBoard />);
    expect(screen.getByRole("button", { name: "Back Pay rent" })).toBeDisabled();
    expect(screen.getByRole("button", { name: "Forward Call home" })).toBeDisabled();
  });

  it("removes a task", async () => {
    render(<TaskBoard />);
    await press("Remove Read book");
    expect(stored().map(({ id }) => id)).toEqual(["a", "b", "d"]);
  });

  it("clears what is done", async () => {
    render(<TaskBoard />);
    await press("Clear done");
    expect(titlesIn("Done")).toEqual([]);
    expect(screen.queryByRole("button", { name: "Clear done" })).toBeNull();
  });

  it("renames a task", async () => {
    render(<TaskBoard />);
    await press("Pay rent");
    const field = screen.getByLabelText("Rename Pay rent");
    await userEvent.clear(field);
    await userEvent.type(field, "Pay the rent{Enter}");
    expect(titlesIn("To do")).toEqual(["Pay the rent", "Water plants"]);
  });

  it("keeps the old name instead of none", async () => {
    render(<TaskBoard />);
    await press("Pay rent");
    await userEvent.clear(screen.getByLabelText("Rename Pay rent"));
    await userEvent.tab();
    expect(stored()[1].title).toBe("Pay rent");
  });

  it("searches titles", async () => {
    render(<TaskBoard />);
    await userEvent.type(screen.getByLabelText("Search"), "RE");
    expect([titlesIn("To do"), titlesIn("In progress")]).toEqual([["Pay rent"], ["Read book"]]);
    expect(screen.getByText("2 hidden by the filter")).toBeInTheDocument();
  });

  it("shows one priority alone", async () => {
    render(<TaskBoard />);
    await userEvent.selectOptions(screen.getByLabelText("Show"), "low");
    expect([titlesIn("To do"), titlesIn("In progress")]).toEqual([["Water plants"], []]);
  });

  it("filters what is shown, not what is kept", async () => {
    render(<TaskBoard />);
    await userEvent.selectOptions(screen.getByLabelText("Show"), "high");
    expect(stored()).toEqual(STORED);
  });
});
