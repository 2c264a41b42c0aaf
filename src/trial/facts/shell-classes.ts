/** Classes of what an agent does. */
export const ACTION_CLASSES = ["files", "search", "execution", "meta", "other"] as const;

/** Class of a call, or of a part of a shell's line. */
export type ActionClass = (typeof ACTION_CLASSES)[number];

const words = (list: string) => list.split(" ");

/** First words of commands by their class; those of the published figures, and others by what they do. */
const COMMANDS: Readonly<Record<Exclude<ActionClass, "meta" | "other">, readonly string[]>> = {
  files: words("cat head tail less more mkdir touch rm cp mv sed nl tee ln chmod awk echo printf patch wc diff"),
  search: words("grep egrep rg ag find xargs ls cd pwd tree which fd"),
  execution: words(
    "pytest jest vitest mocha yarn npm npx pnpm python python3 node make cmake ctest cargo bash sh pip pip3 uv go java mvn gradle tox ruby php dotnet",
  ),
};

const BY_COMMAND: ReadonlyMap<string, ActionClass> = new Map(
  Object.entries(COMMANDS).flatMap(([name, list]) => list.map((word) => [word, name as ActionClass] as const)),
);

/** Classes of the house's tools; what is none of these is `other`. */
const TOOLS: Readonly<Record<string, ActionClass>> = {
  list_files: "search",
  search: "search",
  read_file: "files",
  write_file: "files",
  edit_file: "files",
  remove_file: "files",
  run_unit_test: "execution",
  get_all_errors: "execution",
  finish: "meta",
  finish_refactoring: "meta",
};

/** Classes of a call: one, but of a shell's line one for each command in it. */
export function classesOf(tool: string, command: string | null): ActionClass[] {
  if (command === null) return [Object.hasOwn(TOOLS, tool) ? (TOOLS[tool] ?? "other") : "other"];
  return commandsIn(command).map((each) => BY_COMMAND.get(firstWord(each)) ?? "other");
}

/** Parts of a line that are commands of their own: between `&&`, `||`, `;`, `|` and line ends, outside of quotes. */
export function commandsIn(line: string): string[] {
  const parts: string[] = [""];
  for (const [piece] of line.matchAll(/\\.|'[^']*'|"(?:\\.|[^"\\])*"|&&|\|\|?|[;\n]|[^\\'"&|;\n]+|[\s\S]/g)) {
    if (/^(?:&&|\|\|?|[;\n])$/.test(piece)) parts.push("");
    else parts.push((parts.pop() ?? "") + piece);
  }
  return parts.map((part) => part.trim()).filter((part) => part !== "" && !part.startsWith("#"));
}

/** Name of the program, behind variables that are set and programs that start others. */
function firstWord(command: string): string {
  const rest = command.replace(/^\(+\s*/, "").replace(/^(?:(?:\w+=\S*|sudo|time|env|timeout\s+\S+)\s+)+/, "");
  return /^\S+/.exec(rest)?.[0].split("/").at(-1) ?? "";
}
