import { Endpoint, type PatienceOptions } from "./endpoint.js";
import { RequestError } from "./request-error.js";

/** The servers of one model. A group of requests stays with one server, for its prefix cache, while that server lives. */
export class EndpointPool {
  readonly endpoints: readonly Endpoint[];

  constructor(baseUrls: readonly string[], options: PatienceOptions) {
    this.endpoints = baseUrls.map((baseUrl) => new Endpoint(baseUrl, options));
  }

  /** The least loaded server that is not given up; the first where all are. */
  pick(): Endpoint {
    const living = this.endpoints.filter(({ isGivenUp }) => !isGivenUp);
    const [first] = this.endpoints;
    if (first === undefined) throw new Error("Expected at least one server.");
    return living.reduce((least, candidate) => (candidate.load < least.load ? candidate : least), living[0] ?? first);
  }

  /**
   * Sends a request to `preferred`, and to another server when that one is given up.
   * @throws RequestError when no server is left, or the request itself fails
   */
  async send<T>(
    preferred: Endpoint,
    attempt: (baseUrl: string, signal: AbortSignal) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    let endpoint = preferred.isGivenUp ? this.pick() : preferred;
    for (;;) {
      const { baseUrl } = endpoint;
      try {
        return await endpoint.send((inner) => attempt(baseUrl, inner), signal);
      } catch (error) {
        const next = this.pick();
        if (!(error instanceof RequestError) || !endpoint.isGivenUp || next.isGivenUp) throw error;
        endpoint = next;
      }
    }
  }
}
