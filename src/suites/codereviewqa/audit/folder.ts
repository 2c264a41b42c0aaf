import { chooseFolder, type FolderWork, type WorkFolder } from "../../../store/folder/work-folder.js";
import { AUDIT_FILE, type AuditFile } from "./audit-file.js";
import { auditFacts, auditFingerprint } from "./identity.js";

/** Audits, as folders hold them. */
export const AUDIT_WORK: FolderWork<AuditFile> = {
  name: "audit",
  one: "an audit",
  file: AUDIT_FILE,
  identityOf: auditFacts,
  isComplete: ({ status }) => status === "complete",
};

/** The folder of this audit, chosen as that of a run is. */
export function chooseAuditFolder(asked: AuditFile, named: string | null): Promise<WorkFolder<AuditFile>> {
  return chooseFolder(AUDIT_WORK, { record: asked, id: asked.audit_id, fingerprint: auditFingerprint(asked) }, named);
}
