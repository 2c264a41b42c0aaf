import { lead } from "../../../../../report/make-block.js";
import type { BlockSection } from "../../../../../report/page-section.js";
import { openAnswerBlocks } from "../../open-answers.js";
import type { PageParts } from "../page-parts.js";

/** What models wrote where there is nothing to choose from (CLO); `null` without any. */
export function openAnswerSection({ data }: PageParts): BlockSection | null {
  const forms = data.forms.filter(({ probe }) => probe.kind === "generation" && probe.scoring !== undefined);
  const tables = forms.flatMap((form) =>
    data.models.flatMap((model) => {
      const metrics = model.metrics.get(form);
      if (metrics?.isAsked !== true) return [];
      return openAnswerBlocks({ name: form.name, metric: metrics.find }, model.name);
    }),
  );
  if (tables.length === 0) return null;
  return {
    id: "open-answers",
    title: "Answers without options (CLO)",
    blocks: [
      lead(
        "The model writes the line numbers itself: exactly the right lines, and lines in both sets / lines in either " +
          "(Jaccard). A score on CL that is far above suggests that its options help.",
      ),
      ...tables,
    ],
  };
}
