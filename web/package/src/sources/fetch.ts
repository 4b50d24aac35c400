/** Fetches the pages that an answer cites, when a caller says so and never before. */

import { unlessAborted } from "../abort.js";
import { bytesOf, discard, retryAfterOf } from "../body.js";
import { EvidentError } from "../errors.js";
import type { Unread } from "../generated/report.js";
import { checkOptions } from "../known.js";
import type { FetchOptions } from "../options.js";
import type { Passage } from "../passage.js";
import { platform } from "../platform.js";
import { mayBeRead, passagesOfBytes } from "./bytes.js";
import { isPrivateHost } from "./private-hosts.js";
import type { UnreadSource } from "./source.js";

/** The most bytes of a page. */
const MOST_BYTES = 5_000_000;
/** How long a page may take to come and, unless it is a PDF, to be read. */
const PATIENCE_MS = 15_000;
/** How long a browser may take to report that it withheld an answer. */
const REPORT_MS = 500;
/** How many pages are fetched at once. */
const AT_ONCE = 4;
/** How many redirects are followed. */
const MOST_REDIRECTS = 5;

/**
 * Fetches the pages at these addresses, each once, and reads them as `verify` and `checkSources` take them. Nothing is
 * fetched but by this call. The hosts learn the address that they are asked for, and no cookie and no referrer. A page is
 * parsed by a parser that runs nothing and fetches nothing, in turns that leave the thread free in between. It may have
 * 5 MB and take 15 s, to its last passage. A PDF may have 1,000 pages, and take 15 s more to be read. Where a host asks
 * to be left alone for a while (Retry-After), the source says so by `retryAfter`.
 *
 * Only http and https are fetched, and never an address of a private network: not localhost, names such as "x.local" or
 * without a dot, nor loopback, private, link-local or reserved IP addresses. In Node the IP addresses that a name
 * resolves to are checked as well, and each redirect before it is followed; a name server could still give another
 * address a moment later. A browser tells neither: it follows redirects by itself, and one to a private host is found
 * out, and its page refused, only after that host has answered; browsers have limits of their own for such requests.
 *
 * In a browser a host has to allow pages of other sites to read it (CORS); most do not, and then the source is unread for
 * the reason "blocked". In a cross-origin isolated page whose policy is "require-corp", a browser that does not
 * report what it withheld (Chromium does) hides such a host's answer: then the reason is "failed", as of a host that is
 * down.
 *
 * ```ts
 * const report = await verifier.verify(answer);
 * const cited = report.sentences.flatMap(({ citations = [] }) => citations.flatMap(({ address }) => address ?? []));
 * const checked = await verifier.checkSources(report, await fetchSources(cited));
 * for (const { text, sources = [] } of checked) for (const { state, address } of sources) console.log(state, address, text);
 * ```
 *
 * @throws EvidentError "cancelled", as a rejection. A page that cannot be read is no error: its source says why.
 */
export async function fetchSources(
  addresses: Iterable<string>,
  options: FetchOptions = {},
): Promise<Record<string, Passage[] | UnreadSource>> {
  checkOptions("fetchSources", options);
  const { signal, onSource } = options;
  if (signal?.aborted) throw EvidentError.cancelled(signal);
  const found: Record<string, Passage[] | UnreadSource> = Object.create(null);
  const waiting = [...new Set(addresses)];
  const pages = new Map<string, Promise<Passage[] | UnreadSource>>(); // an address is fetched once, whatever part is cited
  const work = async () => {
    for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) {
      const [page = ""] = address.split("#", 1);
      const fetched = pages.get(page) ?? read(page, options);
      pages.set(page, fetched);
      const source = await fetched;
      if (signal?.aborted) return;
      found[address] = source;
      onSource?.(address, source);
    }
  };
  await unlessAborted(Promise.all(Array.from({ length: AT_ONCE }, work)), signal);
  return found;
}

/** What is at an address, or why it cannot be read. */
async function read(address: string, { signal, fetch, lookup }: FetchOptions): Promise<Passage[] | UnreadSource> {
  const patience = AbortSignal.timeout(PATIENCE_MS);
  const request: RequestInit = {
    credentials: "omit",
    referrerPolicy: "no-referrer",
    redirect: platform.seesRedirects ? "manual" : "follow",
    signal: signal ? AbortSignal.any([signal, patience]) : patience,
  };
  const ask = fetch ?? globalThis.fetch.bind(globalThis);
  try {
    let response: Response | null = null;
    let url = new URL(address);
    for (let left = MOST_REDIRECTS; !response; left--) {
      if (left < 0) return { unread: "failed" };
      if (!(await isPublic(url, lookup ?? platform.lookup))) return { unread: "private" };
      const answered = await ask(url.href, request);
      const moved = answered.status >= 300 && answered.status < 400 ? answered.headers.get("Location") : null;
      if (moved === null) response = answered;
      else {
        discard(answered);
        url = new URL(moved, url);
      }
    }
    const type = response.headers.get("Content-Type") ?? "";
    // A browser has followed redirects by itself.
    const isPrivate = response.url && !(await isPublic(new URL(response.url), lookup ?? platform.lookup));
    const refused = isPrivate ? "private" : (refusal(response.status) ?? (mayBeRead(type) ? null : "notText"));
    if (refused) {
      discard(response);
      const retryAfter = isPrivate ? undefined : retryAfterOf(response);
      return { unread: refused, ...(retryAfter !== undefined && { retryAfter }) };
    }
    const bytes = await bytesOf(response, MOST_BYTES);
    return bytes ? await passagesOfBytes(address, bytes, type, signal, patience) : { unread: "tooLarge" };
  } catch {
    if (patience.aborted) return { unread: "timeout" };
    return { unread: signal?.aborted ? "failed" : await whyFailed(address, ask) };
  }
}

/** Whether a page may be asked for: it is of http or https, and no private host's. */
async function isPublic(
  { protocol, hostname, username, password }: URL,
  lookup: FetchOptions["lookup"] | null,
): Promise<boolean> {
  if (!/^https?:$/.test(protocol) || username || password || isPrivateHost(hostname)) return false;
  const addresses = lookup && !/^\[|^[\d.]+$/.test(hostname) ? await lookup(hostname) : [];
  return !addresses.some(isPrivateHost);
}

/** Why an answer of this status is no page; null if it is one. */
function refusal(status: number): Unread | null {
  if (status === 206) return "failed"; // a part of it, and nobody asked for one
  if (status >= 200 && status < 300) return null;
  if (status === 404 || status === 410) return "notFound";
  if (status === 401 || status === 402) return "paywall";
  return status === 403 || status === 429 || status === 451 ? "blocked" : "failed";
}

/**
 * A browser reports the same error for a host that is down and for one without CORS. A "no-cors" request, whose answer
 * stays hidden, tells them apart; where the page is isolated, even that answer is withheld.
 */
async function whyFailed(address: string, ask: typeof fetch): Promise<Unread> {
  if (platform.seesRedirects || !URL.canParse(address)) return "failed";
  const hidden: RequestInit = { mode: "no-cors", credentials: "omit", referrerPolicy: "no-referrer" };
  const answered = new AbortController(); // its body is not to come, and cannot be cancelled
  const signal = AbortSignal.any([answered.signal, AbortSignal.timeout(PATIENCE_MS)]);
  return ask(address, { ...hidden, signal })
    .then(
      () => "blocked" as const,
      async () => ((await isWithheld(address)) ? "blocked" : "failed"),
    )
    .finally(() => answered.abort());
}

/** Whether the browser reports that an answer came from this address and was withheld. Not every browser does. */
function isWithheld(address: string): Promise<boolean> {
  if (!globalThis.crossOriginIsolated || !("ReportingObserver" in globalThis)) return Promise.resolve(false);
  const { href } = new URL(address);
  return new Promise((resolve) => {
    const hear = (reports: Report[]) => {
      const bodies = reports.map(({ body }) => JSON.parse(JSON.stringify(body ?? {}))); // only its JSON has all fields
      if (bodies.some(({ blockedURL }) => blockedURL === href)) resolve(true);
    };
    const observer = new ReportingObserver(hear, { types: ["coep"], buffered: true });
    observer.observe();
    setTimeout(() => {
      observer.disconnect();
      resolve(false);
    }, REPORT_MS);
  });
}
