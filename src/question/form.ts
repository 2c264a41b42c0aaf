import type { Difficulty } from "../dataset/example.js";

/** Parts that can be withheld from a multiple-choice question (spec §5, *Ablations*), in the order of the tables. */
export const WITHHELD = ["review", "code", "both"] as const;

/** A part that is withheld; `both`: review and code, so that the options alone are left (arXiv 2402.12483). */
export type Withheld = (typeof WITHHELD)[number];

/** The part that is withheld from a question; `none` for a question as it is. */
type Ablation = "none" | Withheld;

/** Key of a form of a probe: a row of the summary is about one. */
export interface FormKey {
  readonly task: string;
  readonly difficulty: Difficulty | null;
  /** The part that is withheld; absent: none. */
  readonly ablation?: Withheld | undefined;
}

/** Name of the ablation in tables and `--json`. */
export function ablationOf({ ablation }: Pick<FormKey, "ablation">): Ablation {
  return ablation ?? "none";
}

/** Such as `CL hard`, `CL hard −review` or, without review and code, `CL hard −both`. */
export function formName({ task, difficulty, ablation }: FormKey): string {
  return [task, ...(difficulty === null ? [] : [difficulty]), ...(ablation === undefined ? [] : [`−${ablation}`])].join(
    " ",
  );
}

/** The field of a form that withholds something; nothing for one that does not, so that old records keep their bytes. */
export function ablationField(ablation: Withheld | undefined): { readonly ablation?: Withheld } {
  return ablation === undefined ? {} : { ablation };
}

/** The part that is withheld, in words, such as `the review`. */
function withheldText(ablation: Withheld): string {
  return ablation === "both" ? "review and code" : `the ${ablation}`;
}

/** Such as `change localisation, hard, without the review`. */
export function formTitle(probeTitle: string, { difficulty, ablation }: FormKey): string {
  const without = ablation === undefined ? [] : [`without ${withheldText(ablation)}`];
  return [probeTitle, ...(difficulty === null ? [] : [difficulty]), ...without].join(", ");
}
