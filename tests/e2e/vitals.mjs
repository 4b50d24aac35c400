/**
 * What a page's own observers say of a visit, by the definitions of Core Web Vitals: to be run in the page before
 * anything else. `globalThis.vitals` has milliseconds (lcp, inp) and a score (cls).
 */
export function watchVitals() {
  const vitals = { lcp: 0, cls: 0, inp: 0 };
  globalThis.vitals = vitals;
  const observe = (type, see, more) =>
    new PerformanceObserver((list) => list.getEntries().forEach(see)).observe({ type, buffered: true, ...more });
  observe("largest-contentful-paint", ({ startTime }) => {
    vitals.lcp = startTime;
  });
  // The worst session of shifts: they are less than a second apart, and within five.
  const session = { began: Number.NEGATIVE_INFINITY, last: Number.NEGATIVE_INFINITY, sum: 0 };
  observe("layout-shift", ({ value, startTime, hadRecentInput }) => {
    if (hadRecentInput) return; // a shift that follows an input does not count
    const goesOn = startTime - session.last < 1_000 && startTime - session.began < 5_000;
    if (!goesOn) Object.assign(session, { began: startTime, sum: 0 });
    session.last = startTime;
    session.sum += value;
    vitals.cls = Math.max(vitals.cls, session.sum);
  });
  observe(
    "event",
    ({ interactionId, duration }) => {
      if (interactionId) vitals.inp = Math.max(vitals.inp, duration);
    },
    { durationThreshold: 16 },
  );
}
