/**
 * A date with time as in RFC 3339, and its common variants: without an offset it is UTC, seconds may be missing, and
 * a `+` that was not escaped in a URL has become a space.
 */
const DATE_TIME =
  /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(?:[Zz]|([ +-])(\d{2}:?\d{2}))?$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** A date means its first moment, in UTC. Undefined for text that is neither a date nor a date with time. */
export function readMoment(text: string): Date | undefined {
  const [, day = text, time, sign, offset] = DATE_TIME.exec(text) ?? [];
  if (!DATE.test(day) || !isDay(day)) return undefined;
  if (time === undefined) return new Date(day);
  const zone = sign === undefined ? 'Z' : `${sign === ' ' ? '+' : sign}${offset}`;
  const moment = new Date(`${day}T${time}${zone}`);
  return Number.isNaN(moment.getTime()) ? undefined : moment;
}

/** JavaScript reads the 30th of February as the 2nd of March. */
function isDay(text: string): boolean {
  const day = new Date(text);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}
