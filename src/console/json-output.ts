/** Version of the documents of `--json`: it rises when a field changes its name or its meaning, or goes. */
export const JSON_VERSION = 1;

/** Fields whose own fields are named by users and servers, and stay as they are. */
const FOREIGN = new Set(["settings", "server", "run"]);

/** A document of `--json`: its version first, every field in snake_case. */
export function jsonText(document: object): string {
  return `${JSON.stringify({ schema_version: JSON_VERSION, ...snakeFields(document) }, null, 2)}\n`;
}

function snakeFields(fields: object): object {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [snakeCase(name), FOREIGN.has(name) ? value : snakeValue(value)]),
  );
}

function snakeValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeValue);
  return typeof value === "object" && value !== null && !(value instanceof Date) ? snakeFields(value) : value;
}

/** Such as `letter_mass` of `letterMass`; a name that is no word of a program, such as a path, stays as it is. */
function snakeCase(name: string): string {
  return /^[a-z][a-z0-9]*([A-Z][a-z0-9]+)+$/.test(name)
    ? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    : name;
}
