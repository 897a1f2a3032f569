/*
 * Decides where a named queue has to look for logs. People judge from the newest log on, so the judged logs lie together, and
 * there may be very many of them. A queue first looks outside of these stretches. What lies inside, such as a log that
 * somebody skipped, comes last.
 */

/** The place of a log in the order of time, as a text that sorts in this order. */
export type Place = string;

/** A stretch from the oldest log to the newest, both included. */
export interface Stretch {
  from: Place;
  to: Place;
}

/** A gap in which to look, both ends excluded. Without an end it is not limited there. */
export type Gap = Partial<Stretch>;

const byPlace = (a: Place, b: Place) => (a < b ? -1 : a > b ? 1 : 0);

/**
 * The gaps between what is probably done for a person, newest first. Done is what the person has judged, and what as many
 * people have judged as the queue asks for. None where nothing is done.
 */
export function gapsBetween(own: Stretch | undefined, all: readonly Stretch[], judges: number): Gap[] {
  const done = [...(own === undefined ? [] : [own]), ...coveredBy(judges, all)];
  if (done.length === 0) return [];
  const gaps: Gap[] = [];
  // Everything newer than this was examined.
  let to: Place | undefined;
  for (const stretch of done.sort((a, b) => byPlace(b.to, a.to))) {
    if (to === undefined || stretch.to < to) gaps.push({ from: stretch.to, ...(to !== undefined && { to }) });
    if (to === undefined || stretch.from < to) to = stretch.from;
  }
  gaps.push({ to });
  return gaps;
}

/** The stretches in which at least this many of the given ones overlap. */
function coveredBy(count: number, all: readonly Stretch[]): Stretch[] {
  const ends = all.flatMap(({ from, to }) => [
    { at: from, by: 1 },
    { at: to, by: -1 },
  ]);
  // Where a stretch begins at the place at which another ends, it begins first, because both ends belong to their stretches.
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
