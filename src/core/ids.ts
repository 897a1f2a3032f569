const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** The time in a UUIDv7 (RFC 9562, section 5.7) as epoch milliseconds, or undefined for any other text. */
export function uuidV7Time(text: string): number | undefined {
  if (!isUuid(text) || text[14] !== '7') return undefined;
  return Number.parseInt(text.slice(0, 8) + text.slice(9, 13), 16);
}
