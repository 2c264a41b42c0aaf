import type { Language } from "../base/language.js";
import type { TextRange } from "../base/text.js";
import type { Syntax, SyntaxNode } from "./load.js";

/** Kinds of small faults that are put into code, in the order in which reports name them. */
export const MUTATION_OPERATORS = [
  "comparison",
  "arithmetic",
  "boolean",
  "plus_minus_one",
  "dropped_call",
  "dropped_branch",
] as const;
export type MutationOperator = (typeof MUTATION_OPERATORS)[number];

/** One small fault: the text of a range replaced. */
export interface Mutation extends TextRange {
  readonly operator: MutationOperator;
  readonly replacement: string;
}

/**
 * Every small fault that can be put into a piece of code, in the order of the text:
 * - `comparison`: `<` and `<=`, `>` and `>=`, `==` and `!=` (`===`, `!==`) take each other's place
 * - `arithmetic`: `+` and `-`, `*` and `/`, `%` to `*`; `+=` and `-=`, `*=` and `/=`, `++` and `--`
 * - `boolean`: `&&` and `||` (`and`, `or`), `true` and `false`; a negation left out
 * - `plus_minus_one`: a whole number one more, and one less
 * - `dropped_call`: a statement that is a call left out
 * - `dropped_branch`: what follows a condition, or its `else`, left out
 *
 * Some change nothing that a program does: who counts those that tests do not notice cannot know which (suites.md §6).
 * Some do not parse; `mutated` tells.
 */
export function mutationsOf(syntax: Syntax, code: string): Mutation[] {
  const nodes = syntax.nodes(code);
  return nodes.flatMap((node, at) => {
    const parent = node.parent === null ? null : (nodes[node.parent] ?? null);
    const text = code.slice(node.start, node.end);
    return [
      ...operatorMutations(node, parent, text),
      ...valueMutations(node, text),
      ...callMutations(node, nodes[at + 1] ?? null, parent, syntax.language),
      ...branchMutations(node, parent, syntax.language),
    ];
  });
}

/** The code with a fault in it; `null` where it then parses worse than before, or is the same. */
export function mutated(syntax: Syntax, code: string, { start, end, replacement }: Mutation): string | null {
  const text = `${code.slice(0, start)}${replacement}${code.slice(end)}`;
  if (text === code) return null;
  return syntax.errors(text) > syntax.errors(code) ? null : text;
}

/** Texts that take each other's place, and the nodes that they have to stand in. */
const SWAPS: readonly {
  readonly operator: MutationOperator;
  readonly within: RegExp;
  readonly texts: Readonly<Record<string, string>>;
}[] = [
  {
    operator: "comparison",
    within: /^(binary|binary_expression|comparison_operator)$/,
    texts: { "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "===": "!==", "!==": "===" },
  },
  {
    operator: "arithmetic",
    within: /^(binary|binary_expression|binary_operator)$/,
    texts: { "+": "-", "-": "+", "*": "/", "/": "*", "%": "*" },
  },
  {
    operator: "arithmetic",
    within: /assignment|^(update_expression|postfix_unary_expression|prefix_unary_expression|(inc|dec)_statement)$/,
    texts: { "+=": "-=", "-=": "+=", "*=": "/=", "/=": "*=", "++": "--", "--": "++" },
  },
  {
    operator: "boolean",
    within: /^(binary|binary_expression|boolean_operator)$/,
    texts: { "&&": "||", "||": "&&", and: "or", or: "and" },
  },
  {
    operator: "boolean",
    within: /^(unary|unary_expression|prefix_unary_expression|unary_op_expression|not_operator)$/,
    // The text after it stays where it is: a blank is left, so that words do not run together.
    texts: { "!": "", not: "" },
  },
];

function operatorMutations({ start, end, isLeaf }: SyntaxNode, parent: SyntaxNode | null, text: string): Mutation[] {
  if (!isLeaf || parent === null) return [];
  return SWAPS.flatMap(({ operator, within, texts }) => {
    const replacement = Object.hasOwn(texts, text) ? texts[text] : undefined;
    return replacement !== undefined && within.test(parent.kind) ? [{ operator, start, end, replacement }] : [];
  });
}

const TRUTHS: Readonly<Record<string, string>> = { true: "false", false: "true", True: "False", False: "True" };
const TRUTH_KINDS = /^(true|false|boolean)$/;
const NUMBER_KINDS = /^(number|number_literal|integer|integer_literal|int_literal|decimal_integer_literal)$/;

function valueMutations({ start, end, isLeaf, kind }: SyntaxNode, text: string): Mutation[] {
  if (!isLeaf) return [];
  if (TRUTH_KINDS.test(kind) && Object.hasOwn(TRUTHS, text))
    return [{ operator: "boolean", start, end, replacement: TRUTHS[text] ?? "" }];
  if (!NUMBER_KINDS.test(kind) || !/^(0|[1-9]\d{0,14})$/.test(text)) return [];
  const value = Number(text);
  return [value + 1, value - 1].map((other) => ({
    operator: "plus_minus_one",
    start,
    end,
    replacement: String(other),
  }));
}

/** Replacement of a statement that is left out. */
const NO_STATEMENT: Readonly<Partial<Record<Language, string>>> = { python: "pass", ruby: "nil", go: "" };
/** Replacement of a block that is left out. */
const NO_BLOCK: Readonly<Partial<Record<Language, string>>> = { python: "pass", ruby: "\nnil\n" };

const CALL_KINDS = /(^|_)call(_expression)?$|^(method_invocation|invocation_expression|await|await_expression)$/;
/** Parents under which a call of Ruby is a statement: it has no node for one. */
const RUBY_BODIES = /^(program|body_statement|block_body|then|else|do)$/;

function callMutations(
  { kind, start, end }: SyntaxNode,
  next: SyntaxNode | null,
  parent: SyntaxNode | null,
  language: Language,
): Mutation[] {
  const isCall =
    language === "ruby"
      ? kind === "call" && parent !== null && RUBY_BODIES.test(parent.kind)
      : kind === "expression_statement" && next !== null && CALL_KINDS.test(next.kind);
  return isCall ? [{ operator: "dropped_call", start, end, replacement: NO_STATEMENT[language] ?? ";" }] : [];
}

const CONDITIONALS = /^(if|unless|if_statement)$/;
const ELSE_KINDS = /^(else|elsif|else_clause|elif_clause|else_if_clause)$/;

function branchMutations(
  { kind, field, start, end }: SyntaxNode,
  parent: SyntaxNode | null,
  language: Language,
): Mutation[] {
  if (parent === null || !CONDITIONALS.test(parent.kind)) return [];
  const common = { operator: "dropped_branch", start, end } as const;
  if (field === "alternative") return [{ ...common, replacement: ELSE_KINDS.test(kind) ? "" : "{}" }];
  return field === "consequence" || field === "body" ? [{ ...common, replacement: NO_BLOCK[language] ?? "{}" }] : [];
}
