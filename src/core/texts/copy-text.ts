/** V8 copies a shorter part of a text. A longer one keeps the whole text in memory. */
const SHORTEST_VIEW = 13;

/** Whether a part of a text of `wholeUnits` UTF-16 units keeps much more in memory than itself. */
export function isSmallPart(part: string, wholeUnits: number): boolean {
  return part.length >= SHORTEST_VIEW && part.length < wholeUnits / 8;
}

/** A copy of a part of a text, which keeps nothing but itself in memory. */
export function copyText(part: string): string {
  // UTF-8 would lose a half of a surrogate pair.
  return part.length < SHORTEST_VIEW ? part : (JSON.parse(JSON.stringify(part)) as string);
}
