const handlers = new Map();

/** Has a handler called by a name. */
export function register(name, handler) {
  handlers.set(name, handler);
}

/** Handler of a name. */
export function lookUp(name) {
  const handler = handlers.get(name);
  if (handler === undefined) throw new Error(`no command ${name}`);
  return handler;
}
