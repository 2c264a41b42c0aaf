import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { requireEmptyFolder } from "../../../store/empty-folder.js";
import { RESULTS_FOLDER } from "../ask/folder.js";
import { type AuditFile, findAuditFile } from "./audit-file.js";
import { fingerprint } from "./identity.js";

/** An audit's folder, and the audit that was found in it; `null` for a new one. */
interface AuditFolder {
  readonly path: string;
  readonly recorded: AuditFile | null;
}

/**
 * The folder of this audit, made if it is new: `named` (`--out`, `--resume`), else that of an unfinished audit by the same
 * command under `results/`, else a new one. Whether a named folder's audit is the same one is for its journal to say.
 * @throws ProbeError `bad_input` when the folder holds other files
 */
export async function chooseAuditFolder(asked: AuditFile, named: string | null): Promise<AuditFolder> {
  const path = named ?? (await findUnfinished(asked)) ?? join(RESULTS_FOLDER, asked.audit_id);
  const recorded = await findAuditFile(path);
  if (recorded === null) await requireEmptyFolder(path, "an audit");
  await mkdir(path, { recursive: true });
  return { path, recorded };
}

async function findUnfinished(asked: AuditFile): Promise<string | null> {
  const names = await readdir(RESULTS_FOLDER).catch(() => []);
  const suffix = `-${fingerprint(asked)}`;
  const candidates = names.filter((name) => name.includes("-audit-") && name.endsWith(suffix));
  for (const name of candidates.sort().reverse()) {
    const path = join(RESULTS_FOLDER, name);
    const recorded = await findAuditFile(path).catch(() => null);
    if (recorded !== null && recorded.status !== "complete") return path;
  }
  return null;
}
