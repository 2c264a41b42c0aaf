import { Agent, type Dispatcher, interceptors } from "undici";
import { fetchWhole, send } from "../../../model/http/http-client.js";
import { MAX_BODY_BYTES } from "../../../model/http/whole-reply.js";

/** GitHub redirects from a repository's old name, the hub to where it keeps its files. */
const redirect = interceptors.redirect({ maxRedirections: 5 });

const replies = new Agent({ maxResponseSize: MAX_BODY_BYTES }).compose(redirect);
const files = new Agent().compose(redirect);

/** `fetch` for what is read as a whole: no more than `MAX_BODY_BYTES` of it. */
export const fetchReply: typeof fetch = (input, init) => fetchWhole(replies, input, init);

/** `fetch` for a file that is written as it comes; its reader counts the bytes. What is no file is read as a whole. */
export const fetchFile: typeof fetch = async (input, init) => {
  const { head, body } = await send(files, input, init);
  if (head.status < 300) return new Response(streamOf(body), head);
  await body.dump();
  return fetchReply(input, init);
};

function streamOf(body: Dispatcher.ResponseData["body"]): ReadableStream<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = body[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    cancel: () => void body.destroy(),
  });
}
