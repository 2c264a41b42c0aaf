import { useEffect, useMemo, useReducer, useState } from "react";

const COLUMNS = [
  { id: "todo", title: "To do" },
  { id: "doing", title: "In progress" },
  { id: "done", title: "Done" },
];

const PRIORITIES = ["low", "normal", "high"];

function makeTask(title, priority, now) {
  return { id: `task-${now}`, title: title.trim(), priority, column: "todo", createdAt: now };
}

function columnAfter(column, step) {
  const index = COLUMNS.findIndex(({ id }) => id === column) + step;
  return COLUMNS[index]?.id ?? null;
}

function byPriority(left, right) {
  const rank = (task) => PRIORITIES.indexOf(task.priority);
  return rank(right) - rank(left) || left.createdAt - right.createdAt;
}

function matches(task, { text, priority }) {
  const isFound = task.title.toLowerCase().includes(text.trim().toLowerCase());
  return isFound && (priority === "all" || task.priority === priority);
}

function progressOf(tasks) {
  if (tasks.length === 0) return null;
  const done = tasks.filter(({ column }) => column === "done").length;
  return { done, total: tasks.length, percent: Math.round((done / tasks.length) * 100) };
}

function reduceTasks(tasks, action) {
  switch (action.type) {
    case "added":
      return [...tasks, action.task];
    case "moved":
      return tasks.map((task) => (task.id === action.id ? moved(task, action.step) : task));
    case "renamed":
      return tasks.map((task) => (task.id === action.id ? { ...task, title: action.title } : task));
    case "removed":
      return tasks.filter((task) => task.id !== action.id);
    case "cleared":
      return tasks.filter((task) => task.column !== "done");
    default:
      return tasks;
  }
}

function moved(task, step) {
  const column = columnAfter(task.column, step);
  return column === null ? task : { ...task, column };
}

const STORAGE_KEY = "task-board";

function loadTasks() {
  try {
    const stored = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "[]");
    return Array.isArray(stored) ? stored : [];
  } catch {
    return [];
  }
}

function storeTasks(tasks) {
  localStorage.setItem(STORAGE_KEY, JSON.stringify(tasks));
}

function TaskForm({ onAdd }) {
  const [title, setTitle] = useState("");
  const [priority, setPriority] = useState("normal");
  const [error, setError] = useState(null);

  function submit(event) {
    event.preventDefault();
    if (title.trim() === "") {
      setError("A task needs a title");
      return;
    }
    onAdd(title, priority);
    setTitle("");
    setError(null);
  }

  return (
    <form onSubmit={submit} aria-label="New task">
      <label>
        Title
        <input value={title} onChange={(event) => setTitle(event.target.value)} />
      </label>
      <label>
        Priority
        <select value={priority} onChange={(event) => setPriority(event.target.value)}>
          {PRIORITIES.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </select>
      </label>
      <button type="submit">Add task</button>
      {error !== null && <p role="alert">{error}</p>}
    </form>
  );
}

function TaskFilter({ filter, onChange }) {
  return (
    <section aria-label="Filter">
      <label>
        Search
        <input
          type="search"
          value={filter.text}
          onChange={(event) => onChange({ ...filter, text: event.target.value })}
        />
      </label>
      <label>
        Show
        <select value={filter.priority} onChange={(event) => onChange({ ...filter, priority: event.target.value })}>
          <option value="all">all priorities</option>
          {PRIORITIES.map((each) => (
            <option key={each} value={each}>
              {`only ${each}`}
            </option>
          ))}
        </select>
      </label>
    </section>
  );
}

function TaskCard({ task, dispatch }) {
  const [draft, setDraft] = useState(null);

  function rename() {
    const title = draft.trim();
    if (title !== "") dispatch({ type: "renamed", id: task.id, title });
    setDraft(null);
  }

  return (
    <li data-priority={task.priority}>
      {draft === null ? (
        <button type="button" onClick={() => setDraft(task.title)}>
          {task.title}
        </button>
      ) : (
        <input
          aria-label={`Rename ${task.title}`}
          value={draft}
          onChange={(event) => setDraft(event.target.value)}
          onBlur={rename}
          onKeyDown={(event) => event.key === "Enter" && rename()}
        />
      )}
      {task.priority === "high" && <strong>urgent</strong>}
      <CardButtons task={task} dispatch={dispatch} />
    </li>
  );
}

function CardButtons({ task, dispatch }) {
  const act = (label, action, isOff = false) => (
    <button type="button" aria-label={`${label} ${task.title}`} disabled={isOff} onClick={() => dispatch(action)}>
      {label}
    </button>
  );
  return (
    <>
      {act("Back", { type: "moved", id: task.id, step: -1 }, columnAfter(task.column, -1) === null)}
      {act("Forward", { type: "moved", id: task.id, step: 1 }, columnAfter(task.column, 1) === null)}
      {act("Remove", { type: "removed", id: task.id })}
    </>
  );
}

function TaskColumn({ column, tasks, dispatch }) {
  return (
    <section aria-label={column.title}>
      <h2>
        {column.title} ({tasks.length})
      </h2>
      {tasks.length === 0 ? (
        <p>Nothing here</p>
      ) : (
        <ul>
          {tasks.map((task) => (
            <TaskCard key={task.id} task={task} dispatch={dispatch} />
          ))}
        </ul>
      )}
      {column.id === "done" && tasks.length > 0 && (
        <button type="button" onClick={() => dispatch({ type: "cleared" })}>
          Clear done
        </button>
      )}
    </section>
  );
}

function Progress({ tasks }) {
  const progress = progressOf(tasks);
  if (progress === null) return <p>No tasks yet</p>;
  const { done, total, percent } = progress;
  return (
    <p>
      <progress aria-label="Progress" value={percent} max={100} /> {done} of {total} done ({percent} %)
    </p>
  );
}

/** A board of tasks in three columns, kept in the browser. */
export default function TaskBoard({ now = Date.now }) {
  const [tasks, dispatch] = useReducer(reduceTasks, null, loadTasks);
  const [filter, setFilter] = useState({ text: "", priority: "all" });

  useEffect(() => {
    storeTasks(tasks);
  }, [tasks]);

  const shown = useMemo(() => tasks.filter((task) => matches(task, filter)).sort(byPriority), [tasks, filter]);
  const hidden = tasks.length - shown.length;

  return (
    <main>
      <h1>Task board</h1>
      <Progress tasks={tasks} />
      <TaskForm onAdd={(title, priority) => dispatch({ type: "added", task: makeTask(title, priority, now()) })} />
      <TaskFilter filter={filter} onChange={setFilter} />
      {hidden > 0 && <p>{hidden} hidden by the filter</p>}
      {COLUMNS.map((column) => (
        <TaskColumn
          key={column.id}
          column={column}
          tasks={shown.filter((task) => task.column === column.id)}
          dispatch={dispatch}
        />
      ))}
    </main>
  );
}
