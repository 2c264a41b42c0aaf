import { isBuiltin } from "node:module";
import type { CompileCheck, CompileError } from "./compile-errors.js";

/** What a refactoring broke, against the code that it started from. */
export interface NewErrors {
  readonly errors: readonly CompileError[];
  /** Source files of the refactoring. */
  readonly files: number;
  /** 1 − files with a new error/files, 0–1; `null` without files. */
  readonly filesCompiled: number | null;
  /** The released measure, 1 − errors/files: below 0 where there are more errors than files; `null` without files. */
  readonly filesCompiledPublished: number | null;
  /** A line an error; empty without. */
  readonly message: string;
}

/**
 * The errors that the original lacks, and packages that neither it nor the runner has.
 * @param provided packages that are there whatever the original imports
 */
export function newErrors(original: CompileCheck, changed: CompileCheck, provided: ReadonlySet<string>): NewErrors {
  const known = new Set(original.errors.map(({ key }) => key));
  const isThere = (name: string) => provided.has(name) || original.packages.has(name) || isBuiltin(name);
  const errors = [
    ...changed.errors.filter(({ key }) => !known.has(key)),
    ...[...changed.packages].flatMap(([name, files]) =>
      isThere(name) ? [] : files.map((file) => packageError(name, file)),
    ),
  ];
  const files = changed.sources.length;
  const broken = new Set(errors.map(({ file }) => file)).size;
  return {
    errors,
    files,
    filesCompiled: files === 0 ? null : 1 - broken / files,
    filesCompiledPublished: files === 0 ? null : 1 - errors.length / files,
    message: errors.map(errorText).join("\n"),
  };
}

function packageError(name: string, file: string): CompileError {
  const message = `Cannot find module '${name}'`;
  return { file, line: null, message, key: message };
}

/** As a person, or an agent, reads it. */
export function errorText({ file, line, message }: CompileError): string {
  return `src/${file}${line === null ? "" : `:${line}`}: ${message}`;
}
