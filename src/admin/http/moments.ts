/**
 * A date with time as RFC 3339 has it, and what people and programs make of it: no offset is UTC, seconds may be
 * missing, and a `+` that nobody escaped in an address has become a space.
 */
const DATE_TIME =
  /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(?:[Zz]|([ +-])(\d{2}:?\d{2}))?$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** A date is its first moment, in UTC. Undefined for what is neither a date nor a date with time. */
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
