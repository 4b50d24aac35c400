/** What an index is made of. */

/** A passage of evidence: a few sentences that stand alone, 100 words at best. */
export interface Passage {
  /** What tells it from the others. */
  id: string | number;
  title: string;
  /** The part of the titled text that it is from. */
  section?: string;
  text: string;
  /** Where it is from: an address or a name, which is shown with it. */
  source?: string;
  /** Other names of the titled text: a claim that uses one finds it. */
  names?: string[];
}
