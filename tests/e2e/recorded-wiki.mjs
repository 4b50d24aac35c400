/** What a real MediaWiki has answered, for a test's own server. */

import { parametersOf, REPLIES } from "../wiki/replies.mjs";

/**
 * The wiki's reply to a request: `body`, undefined where none is recorded, and `parameters`, what was asked without what
 * all requests have. With WIKI, the address of the api.php of that wiki (tests/wiki/serve.sh), it is asked itself. What
 * is recorded of names also asks what wiki it is, as only the first request of an engine does.
 */
export async function replyOf(address) {
  const parameters = parametersOf(address);
  const { WIKI } = process.env;
  const body = WIKI ? await (await fetch(`${WIKI}?${parameters}`)).text() : REPLIES.get(`${parameters}`);
  for (const usual of ["action", "format", "formatversion", "maxlag", "origin"]) parameters.delete(usual);
  return { body, parameters: `${parameters}` };
}

/** Has pages of other sites read the response; answers the request that asks for that, and then gives true. */
export function shared(response) {
  response.setHeader("Access-Control-Allow-Origin", "*");
  response.setHeader("Access-Control-Allow-Headers", "Api-User-Agent");
  if (response.req.method !== "OPTIONS") return false;
  response.writeHead(204).end();
  return true;
}
