/** A verifier of the package in a page, for tests of what several threads make of an answer. */

/**
 * Gives the page `open`, which takes `createVerifier`'s options, and `check`: the report of an answer, without what
 * differs from run to run and from site to site.
 */
export function offer(page) {
  return page.evaluate(async () => {
    const { createVerifier } = await import("/package/index.js");
    globalThis.open = (options) =>
      createVerifier({ pack: "pack/", index: "index/", engine: "./", device: "cpu", ...options });
    globalThis.check = async (verifier, answer, options) => {
      const { timings, traffic, sources, ...report } = await verifier.verify(answer, options);
      const stable = { ...report, sources: sources.map(({ traffic, ...source }) => source) };
      return JSON.parse(JSON.stringify(stable).replaceAll(location.origin, ""));
    };
  });
}

/**
 * Cancels checks of the answer, by two threads, at several of their stages: `codes` are what they fail with, `report`
 * is that of the check after them.
 */
export function cancelling(page, answer) {
  return page.evaluate(async (answer) => {
    const verifier = await globalThis.open({ threads: 2 });
    await globalThis.check(verifier, answer);
    const codes = [];
    for (const stages of [1, 3, 5, 8]) {
      const stop = new AbortController();
      let left = stages;
      const onEvent = ({ kind }) => kind === "stage" && --left === 0 && stop.abort();
      codes.push(await globalThis.check(verifier, answer, { signal: stop.signal, onEvent }).catch(({ code }) => code));
    }
    const report = await globalThis.check(verifier, answer);
    verifier.dispose();
    return { codes, report };
  }, answer);
}
