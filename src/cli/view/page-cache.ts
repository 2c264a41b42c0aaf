import type { Html } from "../../web/html-page.js";

/** Pages of many runs have megabytes. */
const MOST_PAGES = 6;

/** Keeps the pages that were asked for last, as long as what they are made of is the same. */
export class PageCache {
  readonly #pages = new Map<string, { readonly stamp: string; readonly page: Promise<Html> }>();

  /** The page by this name, made when there is none of this stamp. A page that could not be made is not kept. */
  async get(name: string, stamp: string, make: () => Promise<Html>): Promise<Html> {
    const known = this.#pages.get(name);
    this.#pages.delete(name);
    const kept = known?.stamp === stamp ? known : { stamp, page: make() };
    this.#pages.set(name, kept);
    const [oldest] = this.#pages.keys();
    if (this.#pages.size > MOST_PAGES && oldest !== undefined) this.#pages.delete(oldest);
    try {
      return await kept.page;
    } catch (error) {
      if (this.#pages.get(name) === kept) this.#pages.delete(name);
      throw error;
    }
  }
}
