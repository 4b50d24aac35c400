/** A page of the web, from which an index is built. */

import { bytesOf, discard, retryAfterOf } from "../package/src/body.js";
import { charsetOf } from "../package/src/sources/encoding.js";
import type { Kind, NamedFile } from "./documents.js";

/** The most bytes of a page. */
const MOST_PAGE = 50_000_000;

/** The kind of a document by the Content-Type that its host sends. */
const SENT: [type: RegExp, kind: Kind][] = [
  [/^(text\/html|application\/xhtml\+xml)/, "html"],
  [/^text\/markdown/, "markdown"],
  [/^text\/plain/, "text"],
  [/^application\/pdf/, "pdf"],
  [/^application\/epub\+zip/, "epub"],
  [/^application\/vnd\.openxmlformats-officedocument\.wordprocessingml\.document/, "docx"],
];

/** What is at an address. Its host learns the address that it is asked for, and no cookie and no referrer. */
export async function fetched(address: string): Promise<NamedFile & { kind: Kind; charset: string }> {
  const response = await fetch(address, { credentials: "omit", referrerPolicy: "no-referrer" }).catch(
    async (error: Error) => {
      await reached(address).catch(() => Promise.reject(failure("network", `${address}: ${error.message}`)));
      throw failure("page-blocked", `${address} answers, but lets no other site read it`);
    },
  );
  const type = response.headers.get("Content-Type") ?? "";
  const kind = SENT.find(([sent]) => sent.test(type))?.[1];
  const isWhole = response.ok && response.status !== 206;
  if (!isWhole || !kind) discard(response);
  if (!isWhole) throw failure("page-missing", `${address} ${refusal(response)}`);
  if (!kind) throw failure("bad-document", `${address} is of the kind ${type || "unknown"}, which cannot be read here`);
  const bytes = await bytesOf(response, MOST_PAGE);
  if (!bytes) throw failure("files-too-large", `${address} has more than ${MOST_PAGE / 1e6} MB`);
  return { name: address, file: new Blob([bytes]), kind, charset: charsetOf(type) };
}

/** What an answer that is no whole page says, as the end of a sentence. */
function refusal(response: Response): string {
  const seconds = retryAfterOf(response);
  const answered =
    response.status === 206 ? "answered with a part of the page alone" : `answered with ${response.status}`;
  return seconds === undefined ? answered : `${answered}, and lets itself be asked again in ${seconds} s`;
}

/** Settles once a host answers, though its answer stays hidden. */
export async function reached(address: string): Promise<void> {
  const answered = new AbortController(); // its body is not to come, and cannot be cancelled
  const hidden: RequestInit = { mode: "no-cors", credentials: "omit", referrerPolicy: "no-referrer" };
  await fetch(address, { ...hidden, signal: answered.signal }).finally(() => answered.abort());
}

/** An error with a stable code. */
export const failure = (code: string, message: string) => Object.assign(new Error(message), { code });
