// The prompt of a test, as a chat of one message: promptfoo fills in the texts of such a chat once.
import { asked, promptOf } from "./orders.mjs";

export function prompt({ vars }) {
  return JSON.stringify([{ role: "user", content: literal(promptOf(asked(vars))) }]);
}

/** Text that stays as it is where templates are filled in: nothing in it begins a tag, or ends a comment. */
function literal(text) {
  return text.replace(/\{(?=[{%#])|#(?=\})/g, (sign) => `{{ "${sign}" }}`);
}
