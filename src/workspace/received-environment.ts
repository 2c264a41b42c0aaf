/** Names of variables that make a program run code as it starts. */
const LOADERS =
  /^(?:(?:LD|DYLD|GIT|BASH_FUNC)_.*|NODE_OPTIONS|NODE_PATH|BASH_ENV|ENV|PYTHON(?:STARTUP|HOME|INSPECT)|PERL5?(?:OPT|LIB|DB)|RUBY(?:OPT|LIB)|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS)$/;
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Variables that can be set: other names, or a NUL, are of no use to a program. */
export function settable(env: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([name, value]) => NAME.test(name) && !value.includes("\0")));
}

/**
 * Variables that data name for their tests. In a cage they are set inside, whichever they are; without one, those that
 * would have programs load code of the data are left out.
 */
export function receivedEnvironment(
  env: Readonly<Record<string, string>>,
  cage: { readonly kind: string },
): Record<string, string> {
  const own = settable(env);
  if (cage.kind !== "none") return own;
  return Object.fromEntries(Object.entries(own).filter(([name]) => !LOADERS.test(name)));
}
