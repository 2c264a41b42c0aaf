import type { HubApiError } from "@huggingface/hub";
import { badInput, messageOf, modelUnavailable, ProbeError } from "../../base/errors.js";
import { nearHint } from "../../base/near-names.js";
import { shorten } from "../../base/text.js";
import { isUnreachable, withoutToken } from "./host-requests.js";
import { type HubAccess, patientHubFetch } from "./hub-access.js";
import { describeHubSource, type HubSource } from "./import-source.js";

/** Explains an error of the hub, and says what to do about it. An interrupt and our own errors stay as they are. */
export async function explainHubError(error: unknown, source: HubSource, access: HubAccess): Promise<unknown> {
  if (error instanceof ProbeError || access.signal.aborted) return error;
  const { HubApiError } = await import("@huggingface/hub");
  if (error instanceof HubApiError) return explainReply(error, source, access);
  const what = shorten(describeHubSource(source), 300);
  if (isUnreachable(error)) {
    return unavailable(
      `Expected to fetch ${what} from ${access.url}, found no network to reach it. Ways on: ` +
        "(1) go on where there is a network; (2) set HF_ENDPOINT to a mirror of the hub; " +
        "(3) copy the file here by other means and name its path.",
      error,
    );
  }
  const found = shorten(withoutToken(messageOf(error), access.token), 300);
  return unavailable(`Expected to fetch ${what} from ${access.url}, found: ${found}. Try again later.`, error);
}

async function explainReply(error: HubApiError, source: HubSource, access: HubAccess): Promise<ProbeError> {
  const { statusCode: status } = error;
  // Not the error's message, which has the address in it.
  const said = String(error.data?.["error"] ?? "");
  if (status === 404 && /\brev(ision)?\b/i.test(said)) return noRevision(source, error);
  if (status === 404) return noDataset(source, await nearDatasets(source, access), error);
  if (status === 401 || status === 403) return refused(status, source, access, error);
  const found = shorten(withoutToken(error.message, access.token), 300);
  return unavailable(
    `Expected the hub at ${access.url} to answer for ${shorten(describeHubSource(source), 300)}, found ${status}: ` +
      `${found}. Try again later.`,
    error,
  );
}

function noRevision({ owner, name, revision }: HubSource, cause: unknown): ProbeError {
  return badInput(
    `Expected a branch, tag or commit of the dataset ${owner}/${name}, found no "${shorten(revision, 120)}" there. ` +
      "Leave @REVISION out for the newest.",
    cause,
  );
}

function noDataset({ owner, name }: HubSource, near: string, cause: unknown): ProbeError {
  return badInput(
    `Expected a dataset ${owner}/${name} on the hub, found none (404). Check the name; capitals matter.${near}`,
    cause,
  );
}

/** The hub answers 401 for what does not exist, too, when no token was sent. */
async function refused(status: number, source: HubSource, access: HubAccess, cause: unknown): Promise<ProbeError> {
  const { owner, name } = source;
  const page = `${access.url}/datasets/${owner}/${name}`;
  const { token } = access;
  if (token === null) {
    return unavailable(
      `Expected to read the dataset ${owner}/${name}, found it refused (${status}): it is gated or private, or there ` +
        `is none of that name. If it is gated, accept its conditions at ${page}; then set HF_TOKEN to a token of that ` +
        `account (${access.url}/settings/tokens).${await nearDatasets(source, access)}`,
      cause,
    );
  }
  return unavailable(
    `Expected the token in $${token.variable} to open the dataset ${owner}/${name}, found it refused (${status}). Check ` +
      `that the token is valid and may read, and that its account has accepted the conditions at ${page}.`,
    cause,
  );
}

const MOST_LISTED = 200;

/** " Did you mean …?" of the owner's datasets; empty when there are none, or they cannot be listed. */
async function nearDatasets({ owner, name }: HubSource, access: HubAccess): Promise<string> {
  const names: string[] = [];
  try {
    const { listDatasets } = await import("@huggingface/hub");
    const found = listDatasets({
      search: { owner },
      limit: MOST_LISTED,
      hubUrl: access.url,
      fetch: patientHubFetch(access),
      ...(access.token !== null && { accessToken: access.token.secret }),
    });
    for await (const dataset of found) names.push(dataset.name);
  } catch {
    // A hint only: what is told stands without it.
  }
  return nearHint(`${owner}/${name}`, names, (near) => shorten(near, 120));
}

function unavailable(message: string, cause: unknown): ProbeError {
  return modelUnavailable(message, cause);
}
