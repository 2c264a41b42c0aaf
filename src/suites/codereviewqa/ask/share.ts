import { isInShard, type Shard } from "../../../base/shard.js";
import type { Example } from "../../../dataset/example.js";
import type { IsWanted, ProbeForm } from "../../../question/question-build.js";
import { isAsked } from "../../../question/question-build.js";

/** Whether any form asks about an example. */
export function isAskedAbout(forms: readonly ProbeForm[], example: Example): boolean {
  return forms.some((form) => isAsked(form, example));
}

/**
 * The examples of a share, whole: every so many of those that any form asks about, so that no share is empty while there
 * are enough. To be asked once of every example, in their order.
 */
export function shareOf(forms: readonly ProbeForm[], shard: Shard | null | undefined): IsWanted {
  if (shard == null) return () => true;
  let position = 0;
  return (example) => isAskedAbout(forms, example) && isInShard(shard, position++);
}
