/**
 * A key that no other call has. The browser only makes UUIDs on pages loaded over https; this works over http too.
 */
export function uniqueKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
