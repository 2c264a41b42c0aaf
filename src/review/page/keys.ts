/** Action of a key. */
export type Action =
  | { readonly kind: "keep" }
  /** Number of the reason's key, 1 to 7. */
  | { readonly kind: "drop"; readonly key: number }
  | { readonly kind: "note" | "next" | "previous" | "first_undecided" | "help" | "retry" };

export interface PressedKey {
  readonly key: string;
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
  readonly repeat: boolean;
}

const MOVES: Readonly<Record<string, Action>> = {
  j: { kind: "next" },
  ArrowRight: { kind: "next" },
  h: { kind: "previous" },
  ArrowLeft: { kind: "previous" },
};

const COMMANDS: Readonly<Record<string, Action>> = {
  k: { kind: "keep" },
  n: { kind: "note" },
  u: { kind: "first_undecided" },
  "?": { kind: "help" },
  r: { kind: "retry" },
};

/**
 * The action of a key; `null` where it has none, or belongs to the browser. A key that is held down moves, but decides
 * once only.
 */
export function actionOf(pressed: PressedKey): Action | null {
  if (pressed.ctrlKey || pressed.metaKey || pressed.altKey) return null;
  const key = pressed.key.length === 1 ? pressed.key.toLowerCase() : pressed.key;
  const move = ownValue(MOVES, key);
  if (move !== null || pressed.repeat) return move;
  const digit = digitOf(pressed);
  return digit === null ? ownValue(COMMANDS, key) : { kind: "drop", key: digit };
}

/** Some keyboards have the digits on shift: there the bare key counts too. */
function digitOf({ key, code, shiftKey }: PressedKey): number | null {
  const digit = /^[1-7]$/.exec(key)?.[0] ?? (shiftKey ? undefined : /^Digit([1-7])$/.exec(code)?.[1]);
  return digit === undefined ? null : Number(digit);
}

function ownValue(record: Readonly<Record<string, Action>>, key: string): Action | null {
  return Object.hasOwn(record, key) ? (record[key] ?? null) : null;
}
