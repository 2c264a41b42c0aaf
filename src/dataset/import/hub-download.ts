import { createHash } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { badInput, modelUnavailable, ProbeError } from "../../base/errors.js";
import { shorten } from "../../base/text.js";
import { onDisk } from "../../store/atomic-write.js";
import { temporaryBeside } from "../../store/folder/own-files.js";
import { makeFolder } from "../../store/folder/work-folder.js";
import { fetchFile } from "./host-requests.js";
import { type HubAccess, patientHubFetch } from "./hub-access.js";
import { explainHubError } from "./hub-error.js";
import { credentials, type HubFile } from "./hub-snapshot.js";
import { describeHubSource, type HubSource } from "./import-source.js";

/** Result of a download. */
export interface Downloaded {
  /** SHA-256 of the bytes, 64 hex digits. */
  readonly sha256: string;
  readonly bytes: number;
}

const TRIES = 3;

/** The largest file that is fetched: many times any dataset of reviews, and no disk is filled by a wrong name. */
const MAX_FILE_BYTES = 20 * 1024 ** 3;

/**
 * Fetches a file at a commit into `path`, by way of a file beside it that is renamed once its size and hash agree with
 * what the hub told of it. Streams: memory is one chunk.
 * @param describe writes what is known of the file, before it is renamed: a file without its description is never left
 * @throws ProbeError `model_unavailable` when it cannot be had whole, `bad_input` when it cannot be written
 */
export async function downloadTo(
  path: string,
  file: HubFile,
  source: HubSource,
  commit: string,
  access: HubAccess,
  describe: (downloaded: Downloaded) => Promise<void> = () => Promise.resolve(),
): Promise<Downloaded> {
  if (file.bytes > MAX_FILE_BYTES) throw tooLarge(source, file);
  await makeFolder(dirname(path));
  const temporary = await temporaryBeside(path);
  try {
    for (let attempt = 1; ; attempt++) {
      const content = await openRemote(file, source, commit, access);
      const written = await writeStream({ path, temporary }, content, file.bytes, access.signal).catch(
        (error: unknown) => {
          // A disk that is full, a folder that may not be written: asking the hub again is no use.
          if (access.signal.aborted || attempt === TRIES || error instanceof ProbeError) throw error;
          return null;
        },
      );
      const wrong = written === null ? "the connection broke" : disagreement(written, file);
      if (written !== null && wrong === null) {
        const downloaded = { sha256: written.sha256, bytes: written.bytes };
        await describe(downloaded);
        await onDisk(path, () => rename(temporary, path));
        return downloaded;
      }
      if (attempt === TRIES) throw damaged(source, file, wrong ?? "");
      access.onMessage(`Fetching ${shorten(file.path, 120)} again: ${wrong}.`);
    }
  } catch (error) {
    await rm(temporary, { force: true });
    throw await explainHubError(error, { ...source, revision: commit, file: file.path }, access);
  }
}

async function openRemote(
  file: HubFile,
  { owner, name }: HubSource,
  commit: string,
  access: HubAccess,
): Promise<ReadableStream<Uint8Array>> {
  const { downloadFile, fileDownloadInfo } = await import("@huggingface/hub");
  const what = {
    repo: { type: "dataset", name: `${owner}/${name}` } as const,
    path: file.path.split("/").map(encodeURIComponent).join("/"),
    revision: commit,
    hubUrl: access.url,
    ...credentials(access),
  };
  const downloadInfo = await fileDownloadInfo({ ...what, fetch: patientHubFetch(access) });
  // One plain stream: the file is fetched once, whole, from any mirror of the hub.
  const how = { xet: false, fetch: patientHubFetch(access, fetchFile) };
  const blob = downloadInfo && (await downloadFile({ ...what, ...how, downloadInfo }));
  if (blob === null) throw new Error(`${file.path} is listed, but not there`);
  return blob.stream();
}

interface Written extends Downloaded {
  /** SHA-1 of the bytes as a git blob of the size that was announced. */
  readonly gitBlob: string;
}

async function writeStream(
  { path, temporary }: { readonly path: string; readonly temporary: string },
  content: ReadableStream<Uint8Array>,
  announced: number,
  signal: AbortSignal,
): Promise<Written> {
  const sha256 = createHash("sha256");
  const gitBlob = createHash("sha1").update(`blob ${announced}\0`);
  let bytes = 0;
  const output = await onDisk(path, () => open(temporary, "w"));
  try {
    for await (const chunk of content) {
      signal.throwIfAborted();
      sha256.update(chunk);
      gitBlob.update(chunk);
      bytes += chunk.length;
      await onDisk(path, () => output.appendFile(chunk));
      // A server that sends more than it announced may never end.
      if (bytes > announced) break;
    }
    await onDisk(path, () => output.sync());
  } finally {
    await output.close();
  }
  return { sha256: sha256.digest("hex"), bytes, gitBlob: gitBlob.digest("hex") };
}

/** Difference between the bytes and what the hub told of them; `null` when there is none. */
function disagreement(written: Written, file: HubFile): string | null {
  if (written.bytes !== file.bytes) return `expected ${file.bytes} bytes, found ${written.bytes}`;
  if (file.sha256 !== null && written.sha256 !== file.sha256) {
    return `expected SHA-256 ${shorten(file.sha256, 120)}, found ${written.sha256}`;
  }
  if (file.gitBlob !== null && written.gitBlob !== file.gitBlob) {
    return `expected git blob ${shorten(file.gitBlob, 120)}, found ${written.gitBlob}`;
  }
  return null;
}

function tooLarge(source: HubSource, file: HubFile): ProbeError {
  const what = shorten(describeHubSource({ ...source, file: file.path }), 300);
  return badInput(
    `Expected a file of at most ${MAX_FILE_BYTES} bytes, found ${what} with ${file.bytes}. Name another, or fetch it by ` +
      "other means.",
  );
}

function damaged(source: HubSource, file: HubFile, wrong: string): ProbeError {
  const what = shorten(describeHubSource({ ...source, file: file.path }), 300);
  return modelUnavailable(
    `Expected ${what} as the hub describes it, found it damaged ${TRIES} times: ${wrong}. Nothing was kept. Try again ` +
      "later, or from another network.",
  );
}
