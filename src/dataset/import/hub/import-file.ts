import type { HubSource } from "../source.js";
import { writeSourceFile } from "../source-file.js";
import type { HubAccess } from "./access.js";
import { chooseFile } from "./choose-file.js";
import { type Downloaded, downloadTo } from "./download.js";
import { readSnapshot } from "./snapshot.js";
import { type SourceFile, sourceFileOf } from "./source-file.js";

/**
 * Fetches a dataset's file, at the commit that its revision stands for now, to `out`, and writes where it came from
 * beside it. What stands there before is replaced once the new file is whole.
 * @throws ProbeError `bad_input` for a name that stands for nothing, `model_unavailable` when it cannot be had
 */
export async function importFromHub(source: HubSource, out: string, access: HubAccess, now: Date): Promise<SourceFile> {
  const snapshot = await readSnapshot(source, access);
  const file = chooseFile(source, snapshot);
  const descriptionOf = (downloaded: Downloaded) => sourceFileOf(source, snapshot, file.path, downloaded, now);
  return descriptionOf(
    await downloadTo(out, file, source, snapshot.commit, access, (downloaded) =>
      writeSourceFile(out, descriptionOf(downloaded)),
    ),
  );
}
