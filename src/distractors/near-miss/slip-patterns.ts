import type { Language } from "../../base/language.js";
import type { NearMissKind } from "./near-miss.js";

/** A slip that is seen by its text: what the group `at` finds is replaced. */
export interface SlipPattern {
  readonly kind: NearMissKind;
  readonly cost: number;
  /** Absent: all. */
  readonly languages?: readonly Language[];
  readonly pattern: RegExp;
  readonly to: string | ((found: string) => string);
  /** Present where it is made at a place too that the revision does not introduce. */
  readonly isAnywhere?: true;
  /** Present where it is made within texts, and not in code. */
  readonly isInText?: true;
  /** What old or new code must have besides. */
  readonly needs?: RegExp;
}

/** Behind a value: the end of an argument, a line, an operand. */
const VALUE_ENDS = String.raw`(?=\s*(?:[;,)\]}:]|$|[=!<>]=|&&|\|\||[-+*/]\s|and\b|or\b))`;

const flagged = (source: string) => new RegExp(source, "dgm");

/** Slips of the hand and of memory, by language. */
export const SLIP_PATTERNS: readonly SlipPattern[] = [
  {
    kind: "bound",
    isAnywhere: true,
    cost: 0.5,
    pattern: /\bfor\b[^;\n]*[^=!<>]=\s*(?!0\b)[\w.]+(?<at>)\s*;/dg,
    to: " + 1",
  },
  {
    kind: "bound",
    isAnywhere: true,
    cost: 0.5,
    pattern: /\bfor\b[^;\n]*;[^;\n]*[<>]=?\s*[\w.]+(?:\(\))?(?<at>)\s*;/dg,
    to: " - 1",
  },
  { kind: "bound", isAnywhere: true, cost: 0.5, pattern: /\brange\([^()\n]*(?:\([^()\n]*\))?(?<at>)\)/dg, to: " - 1" },
  {
    kind: "bound",
    isAnywhere: true,
    cost: 0.6,
    pattern: /\w\[(?:\w+\.)*(?:i|j|k|idx|index|pos|n|start|end|offset)(?<at>)\]/dg,
    to: " + 1",
  },
  // The last of the members of a value, which is not called, given or asked for more.
  {
    kind: "shorter",
    cost: 0.7,
    pattern:
      /(?<!^\s*(?:import|from|using|package|use|#)\b[^\n]*)\b[A-Za-z_]\w*(?:(?:\.|->)[A-Za-z_]\w*)+(?<at>(?:\.|->)[a-z_]\w*)(?![\w(.[]|->|\s*(?:=(?!=)|[({:<]))/dgm,
    to: "",
  },
  { kind: "negation", isAnywhere: true, cost: 0.3, pattern: /\bis (?<at>not )(?:None|null)\b/dg, to: "" },
  { kind: "negation", isAnywhere: true, cost: 0.3, pattern: /\bis (?<at>)(?:None|null)\b/dg, to: "not " },
  { kind: "negation", isAnywhere: true, cost: 0.3, languages: ["python"], pattern: /\b(?<at>not )in\b/dg, to: "" },
  {
    kind: "negation",
    isAnywhere: true,
    cost: 0.3,
    languages: ["python"],
    pattern: /\bif\b[^:\n]*[\w)'"\]](?<!\bnot) (?<at>)in\b/dg,
    to: "not ",
  },
  {
    kind: "marker",
    cost: 0.5,
    pattern:
      /(?<=^|\s)(?<at>(?:final|const|static|readonly|synchronized|override|virtual|volatile|async|await|constexpr|inline)\s+)[\w$]/dg,
    to: "",
  },
  {
    kind: "marker",
    cost: 0.5,
    languages: ["c", "cpp", "go"],
    pattern: /(?<=[\s(,=\]!])(?<at>[*&])[A-Za-z_(]/dg,
    to: "",
  },
  { kind: "marker", cost: 0.5, languages: ["csharp"], pattern: /\w(?<at>\?)(?:\s+\w+\s*[,)=;]|\.)/dg, to: "" },
  { kind: "marker", cost: 0.5, languages: ["javascript"], pattern: /[\w)](?<at>\?)\.\w/dg, to: "" },
  { kind: "marker", cost: 0.5, languages: ["php"], pattern: /[(,:]\s*(?<at>\?)\w/dg, to: "" },
  { kind: "marker", cost: 0.5, languages: ["ruby"], pattern: /\w(?<at>&)\.\w/dg, to: "" },
  { kind: "marker", cost: 0.6, languages: ["javascript", "php"], pattern: /[\s(=](?<at>new )[\w\\]/dg, to: "" },
  {
    kind: "marker",
    cost: 0.6,
    languages: ["csharp", "javascript", "python"],
    pattern: /(?:[=(]|\breturn)\s*(?<at>)(?!await|async|new|function|not|lambda)[a-z_]\w*(?:\.\w+)*\(/dg,
    to: "await ",
    needs: /\bawait\b/,
  },
  // The sign of a text that is filled in.
  { kind: "marker", cost: 0.4, languages: ["csharp"], pattern: /(?<at>\$)(?="[^"\n]*\{)/dg, to: "" },
  // The object that a method is of.
  {
    kind: "receiver",
    isAnywhere: true,
    cost: 0.4,
    languages: ["python"],
    pattern: /(?<![\w.])(?<at>self\.)\w/dg,
    to: "",
  },
  {
    kind: "receiver",
    isAnywhere: true,
    cost: 0.4,
    languages: ["javascript"],
    pattern: /(?<![\w.])(?<at>this\.)\w/dg,
    to: "",
  },
  { kind: "receiver", isAnywhere: true, cost: 0.4, languages: ["php"], pattern: /\$(?<at>this->)\w/dg, to: "" },
  { kind: "receiver", isAnywhere: true, cost: 0.5, languages: ["ruby"], pattern: /(?<![\w@])(?<at>@)\w/dg, to: "" },
  // Brackets of a call without arguments.
  {
    kind: "brackets",
    cost: 0.5,
    languages: ["csharp", "go", "javascript", "php", "python"],
    pattern: flagged(String.raw`(?<!\b(?:new|def|function|func)\s+[\w.]*)(?:\.|->)\w+(?<at>\(\))${VALUE_ENDS}`),
    to: "",
  },
  {
    kind: "brackets",
    cost: 0.5,
    languages: ["cpp", "java"],
    pattern: flagged(
      String.raw`(?:\.|->)(?:length|size|count|empty|isEmpty|name|id|key|value|\w+Count)(?<at>\(\))${VALUE_ENDS}`,
    ),
    to: "",
  },
  // Nothing for another nothing.
  { kind: "opposite", cost: 0.4, languages: ["javascript"], pattern: /(?<![\w.'"])(?<at>null)\b/dg, to: "undefined" },
  { kind: "opposite", cost: 0.4, languages: ["javascript"], pattern: /(?<![\w.'"])(?<at>undefined)\b/dg, to: "null" },
  { kind: "opposite", cost: 0.5, languages: ["python"], pattern: /(?<![\w.'"])(?<at>None)\b/dg, to: "False" },
  { kind: "opposite", cost: 0.5, languages: ["php"], pattern: /(?<![\w.'"])(?<at>null)\b/dg, to: "false" },
  { kind: "opposite", cost: 0.5, languages: ["ruby"], pattern: /(?<![\w.'"])(?<at>nil)\b/dg, to: "false" },
  // Directives of a format.
  { kind: "format", cost: 0.4, isInText: true, pattern: /%(?:\d+)?(?<at>d)(?![a-z])/dg, to: "s" },
  { kind: "format", cost: 0.4, isInText: true, pattern: /%(?<at>[qs])(?![a-z])/dg, to: "d" },
  { kind: "format", cost: 0.6, isInText: true, languages: ["c", "cpp", "go"], pattern: /(?<at>\\n)(?=")/dg, to: "" },
  // Equal by another measure.
  {
    kind: "operator",
    cost: 0.4,
    languages: ["java"],
    pattern: /\w(?<at>\.equals\([\w."]+\))/dg,
    to: (found) => ` == ${found.slice(8, -1)}`,
  },
  {
    kind: "operator",
    cost: 0.7,
    languages: ["c", "cpp", "javascript", "php"],
    pattern: /\b(?:if|while)\s*\([^=\n]*[\w)\]] (?<at>==) /dg,
    to: "=",
  },
  // Errors, and what a function gives back.
  { kind: "returned", cost: 0.4, languages: ["go"], pattern: /\breturn (?:[^\n]*, )?(?<at>err)\s*$/dgm, to: "nil" },
  {
    kind: "returned",
    cost: 0.5,
    languages: ["javascript", "php", "python"],
    pattern: /^\s*(?<at>return )[$\w][\w.>-]*\([^\n]*\);?$/dgm,
    to: "",
  },
];
