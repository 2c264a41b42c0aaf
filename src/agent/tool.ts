import { lstat } from "node:fs/promises";
import { join, posix } from "node:path";
import { z } from "zod";
import { messageOf } from "../base/errors.js";
import type { ToolCall, ToolDefinition } from "../model/conversation.js";

/** Reply of a tool: a text for the model, or the end of the attempt. */
export type ToolReply =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "finish"; readonly success: boolean; readonly summary: string };

/** Something an agent can do. */
export interface Tool {
  readonly definition: ToolDefinition;
  /**
   * Arguments that are none of it come back as a text that says so.
   * @param leftMs time left to the attempt; `Infinity`: any
   */
  call(argumentsText: string, leftMs: number): Promise<ToolReply>;
}

/** The arguments do not fit, or what is asked for cannot be: said to the model, which may try again. */
export class ToolFault extends Error {
  override readonly name = "ToolFault";
}

/** A tool by the schema of its arguments. */
export function defineTool<Shape extends z.ZodRawShape>(
  name: string,
  description: string,
  shape: Shape,
  run: (values: z.infer<z.ZodObject<Shape>>, leftMs: number) => Promise<string | ToolReply>,
): Tool {
  const schema = z.object(shape);
  const { $schema: _, additionalProperties: __, ...parameters } = z.toJSONSchema(schema);
  return {
    definition: { name, description, parameters: { ...parameters, additionalProperties: false } },
    async call(argumentsText, leftMs) {
      try {
        const reply = await run(schema.parse(parsed(argumentsText)), leftMs);
        return typeof reply === "string" ? { kind: "text", text: reply } : reply;
      } catch (error) {
        if (error instanceof z.ZodError)
          return failure(`the arguments of ${name} do not fit: ${z.prettifyError(error)}`);
        if (error instanceof ToolFault) return failure(error.message);
        throw error;
      }
    },
  };
}

/** Does what a message calls for. */
export async function callTool(
  tools: readonly Tool[],
  { name, arguments: text }: ToolCall,
  leftMs = Number.POSITIVE_INFINITY,
): Promise<ToolReply> {
  const tool = tools.find(({ definition }) => definition.name === name);
  if (tool !== undefined) return tool.call(text, leftMs);
  return failure(`there is no tool "${name}". Tools: ${tools.map(({ definition }) => definition.name).join(", ")}`);
}

function failure(text: string): ToolReply {
  return { kind: "text", text: `Error: ${text}` };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text === "" ? "{}" : text);
  } catch (error) {
    throw new ToolFault(`the arguments are no JSON object: ${messageOf(error)}`);
  }
}

/** Ends the attempt: `success` and `summary` by whatever name the suite gives it. */
export function finishTool(name: string, description: string): Tool {
  const shape = {
    success: z.boolean().describe("whether the task is done"),
    summary: z.string().describe("what was done, in a sentence or two"),
  };
  return defineTool(name, description, shape, async ({ success, summary }) => ({ kind: "finish", success, summary }));
}

/**
 * A path of a model's as it is from the tree's root; by no symbolic link, and not above it.
 * @param within folders of the tree that it has to be in, such as `src`; empty: anywhere
 * @throws ToolFault for any other path
 */
export async function checkedPath(tree: string, path: string, within: readonly string[] = []): Promise<string> {
  const plain = relativePath(path, within);
  let folder = tree;
  for (const part of plain.split("/")) {
    folder = join(folder, part);
    const info = await lstat(folder).catch(() => null);
    if (info?.isSymbolicLink() === true) throw new ToolFault(`${plain} goes over a symbolic link`);
  }
  return plain;
}

/** The path as it is written everywhere: from the tree's root, with `/`, without `.` and `..`. */
function relativePath(path: string, within: readonly string[] = []): string {
  const plain = posix.normalize(path.replaceAll("\\", "/").replace(/^\.\//, ""));
  const isOutside =
    plain === "" || plain.startsWith("/") || plain === ".." || plain.startsWith("../") || plain.includes("\0");
  if (isOutside) throw new ToolFault(`"${path}" is no path within the working tree`);
  if (plain.split("/").some((part) => part.toLowerCase() === ".git")) throw new ToolFault("there is no .git here");
  const allowed = within.length === 0 || within.some((folder) => plain === folder || plain.startsWith(`${folder}/`));
  if (!allowed) throw new ToolFault(`"${path}" is not in ${within.map((folder) => `${folder}/`).join(" or ")}`);
  return plain;
}
