import { USUAL_OPTIONS } from "../../../base/symbol.js";
import type { FormFloors } from "../../../question/floors/floors.js";
import { formName } from "../../../question/form.js";
import type { Block } from "../../../report/block.js";
import { sentence } from "../../../report/make-block.js";
import { decidedStateOf } from "../metric/form-judgement.js";
import { isStoppedEarly, type QuestionScore } from "../metric/question-score.js";
import { casesOf, type RunFile } from "../record/run-file.js";

/** A form whose verdict is decided, so that its rest is not asked (`--until decided`). */
interface DecidedForm {
  readonly name: string;
  readonly asked: number;
  readonly left: number;
}

/** Questions that are left unasked as their verdicts are decided, and what is said of them. */
export function decidedForms(
  run: RunFile,
  scores: readonly QuestionScore[],
  floors: ReadonlyMap<string, FormFloors>,
): { readonly decided: number; readonly told: readonly Block[] } {
  const forms = formsDecided(run, scores, floors);
  return { decided: forms.reduce((sum, { left }) => sum + left, 0), told: decidedBlocks(forms) };
}

/** The decided forms of a run, controls with the form that they belong to. */
function formsDecided(
  run: RunFile,
  scores: readonly QuestionScore[],
  floors: ReadonlyMap<string, FormFloors>,
): DecidedForm[] {
  const own = (form: RunFile["forms"][number]) => scores.filter((score) => formName(score) === formName(form));
  const decided = run.forms
    .filter((form) => form.ablation === undefined && form.options !== undefined)
    .filter((form) => {
      const judged = { optionCount: form.options ?? USUAL_OPTIONS, scores: own(form), caseOf: casesOf(run) };
      const ruled = { ...judged, floors: floors.get(formName(form)) ?? null, isEarlyStop: isStoppedEarly(run) };
      return decidedStateOf(ruled) !== null;
    });
  const names = new Set(decided.map(wholeName));
  return run.forms
    .filter((form) => names.has(wholeName(form)))
    .map((form) => ({ name: formName(form), asked: own(form).length, left: form.questions - own(form).length }));
}

function wholeName({ task, difficulty }: RunFile["forms"][number]): string {
  return formName({ task, difficulty });
}

/** What was not asked, and why. */
function decidedBlocks(forms: readonly DecidedForm[]): Block[] {
  return forms
    .filter(({ left }) => left > 0)
    .map(({ name, asked, left }) =>
      sentence(
        `${name}: decided after ${asked} of ${asked + left} questions; ${left} were not asked (--until decided).`,
      ),
    );
}
