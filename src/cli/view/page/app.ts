import { Choice } from "./choice.js";
import { byId } from "./elements.js";
import { takeOver } from "./take-over.js";

const TIMEOUT_MS = 15_000;

const page = byId("page");
const lost = byId("lost");
const choice = new Choice();
/** Of the page as it is shown. */
let tag: string | null = null;
let timer = 0;

/** Asks for the page again, and takes over what changed. */
async function refresh(): Promise<void> {
  try {
    const headers: HeadersInit = tag === null ? {} : { "if-none-match": tag };
    const reply = await fetch("./", { headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (reply.status === 200) {
      tag = reply.headers.get("etag");
      const fresh = new DOMParser().parseFromString(await reply.text(), "text/html");
      const said = takeOver(fresh);
      if (said !== "") byId("said").textContent = said;
      choice.show();
    }
    lost.hidden = reply.ok || reply.status === 304;
  } catch {
    lost.hidden = false;
  }
}

/** Nobody looks at a page in the background: it asks nothing. */
async function goOn(): Promise<void> {
  clearTimeout(timer);
  if (document.hidden) return;
  await refresh();
  clearTimeout(timer);
  timer = window.setTimeout(() => void goOn(), Number(page.dataset["again"]));
}

choice.show();
document.addEventListener("visibilitychange", () => void goOn());
void goOn();
document.documentElement.dataset["ready"] = "true";
