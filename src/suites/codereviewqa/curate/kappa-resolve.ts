import { ProbeError } from "../../../base/errors.js";
import { sha256OfFile } from "../../../base/sha256.js";
import { writeAtomically } from "../../../store/atomic-write.js";
import { LineWriter } from "../../../store/line-writer.js";
import { type Funnel, FunnelCounter } from "../dataset/funnel.js";
import { categoryOf } from "./review/decision.js";
import type { DecisionsFile } from "./review/decisions-file.js";
import { readReviewExamples } from "./review/examples.js";

interface ResolveRequest {
  readonly a: DecisionsFile;
  readonly b: DecisionsFile;
  /** What was decided about conflicts later; `null`: conflicts are left out. */
  readonly resolutions: DecisionsFile | null;
  /** The data that was reviewed. */
  readonly data: string;
  readonly out: string;
}

/**
 * Writes the lines of the data that are agreed to be kept, byte for byte and in order: those that both kept, and of the
 * conflicts those that the resolutions keep.
 * @returns what became of every line
 * @throws ProbeError `bad_input` when the data is not what was reviewed
 */
export async function writeAgreed(request: ResolveRequest): Promise<Funnel> {
  const { data, out, a } = request;
  await requireReviewed(data, a);
  const funnel = new FunnelCounter();
  await writeAtomically(out, async (append) => {
    const writer = new LineWriter(append);
    for await (const line of readReviewExamples(data)) {
      if (line.status === "skipped") {
        funnel.drop(line.language, line.reason);
        continue;
      }
      const { id, triple } = line.example;
      const reason = whyDropped(id, request);
      if (reason === null) {
        funnel.keep(triple.language);
        await writer.write(line.text);
      } else funnel.drop(triple.language, reason);
    }
    await writer.flush();
  });
  return funnel.funnel();
}

/** `null`: kept. */
function whyDropped(id: string, { a, b, resolutions }: ResolveRequest): string | null {
  const [ours, theirs] = [a.decisions.get(id), b.decisions.get(id)];
  if (ours === undefined || theirs === undefined) return "not decided by both";
  if (categoryOf(ours) === categoryOf(theirs)) return ours.reason;
  const resolved = resolutions?.decisions.get(id);
  if (resolved !== undefined) return resolved.reason;
  return ours.decision === theirs.decision ? "dropped by both, reasons differ" : "conflict, not resolved";
}

async function requireReviewed(data: string, { path, header }: DecisionsFile): Promise<void> {
  const found = await sha256OfFile(data).catch((cause: unknown) => {
    throw new ProbeError(
      "bad_input",
      `Expected the reviewed data at ${data}, found no readable file. Say where it is with --data.`,
      { cause },
    );
  });
  if (found === header.dataset.sha256) return;
  throw new ProbeError(
    "bad_input",
    `Expected the data that ${path} is about (sha256 ${header.dataset.sha256}), found another in ` +
      `${data} (sha256 ${found}). Say where the reviewed file is with --data.`,
  );
}
