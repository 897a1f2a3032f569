/*
 * Where a named queue has to look. People judge from the newest log on, so the logs that are done lie together, and there
 * may be very many of them. A queue looks outside of them first; what lies between them, such as a log that somebody left
 * out, comes last.
 */

/** Where a log stands in the order of time: a text that sorts so. */
export type Place = string;

/** From the oldest log to the newest, both included. */
export interface Stretch {
  from: Place;
  to: Place;
}

/** Where to look, both ends left out; without an end there is none. */
export type Gap = Partial<Stretch>;

const byPlace = (a: Place, b: Place) => (a < b ? -1 : a > b ? 1 : 0);

/**
 * The gaps between what is probably done for a person, newest first: what they judged themselves, and what as many people
 * judged as the queue asks for. None where nothing is done.
 */
export function gapsBetween(own: Stretch | undefined, all: readonly Stretch[], judges: number): Gap[] {
  const done = [...(own === undefined ? [] : [own]), ...coveredBy(judges, all)];
  if (done.length === 0) return [];
  const gaps: Gap[] = [];
  // So far everything newer was looked at.
  let to: Place | undefined;
  for (const stretch of done.sort((a, b) => byPlace(b.to, a.to))) {
    if (to === undefined || stretch.to < to) gaps.push({ from: stretch.to, ...(to !== undefined && { to }) });
    if (to === undefined || stretch.from < to) to = stretch.from;
  }
  gaps.push({ to });
  return gaps;
}

/** The stretches in which at least so many of the given ones lie over each other. */
function coveredBy(count: number, all: readonly Stretch[]): Stretch[] {
  const ends = all.flatMap(({ from, to }) => [
    { at: from, by: 1 },
    { at: to, by: -1 },
  ]);
  // At one place stretches begin before others end: both ends belong to them.
  ends.sort((a, b) => byPlace(a.at, b.at) || b.by - a.by);
  const covered: Stretch[] = [];
  let depth = 0;
  let from: Place | undefined;
  for (const { at, by } of ends) {
    depth += by;
    if (depth >= count) from ??= at;
    else if (from !== undefined) {
      covered.push({ from, to: at });
      from = undefined;
    }
  }
  return covered;
}
