import type { DialectId } from '../../core/dialect-ids.js';

/*
 * A signature is proof of reasoning that only the API that made it accepts. In neutral form it says whose it
 * is, as `<dialect>:<signature>`. A dialect that carries another's to its client keeps that form, so that it
 * comes back with its origin; towards a provider each dialect writes only its own.
 */

/** Of any dialect, one of another version too. What providers send has no dot and no colon. */
const ORIGIN = /^[a-z]+\.[a-z]+:/;

/** The neutral form of a signature that was read in `dialect`. */
export function openReasoning(signature: string | undefined, dialect: DialectId): string | undefined {
  if (signature === undefined || ORIGIN.test(signature)) return signature;
  return `${dialect}:${signature}`;
}

/** How a neutral signature is shown to a client of `dialect`. */
export function signatureForClient(signature: string, dialect: DialectId): string {
  const own = `${dialect}:`;
  return signature.startsWith(own) ? signature.slice(own.length) : signature;
}

/** The signature for a provider of `dialect`, or undefined where it is another's. */
export function signatureForProvider(signature: string, dialect: DialectId): string | undefined {
  const own = `${dialect}:`;
  return signature.startsWith(own) ? signature.slice(own.length) : undefined;
}

/** Whether a signature that a client of `dialect` sends back was made by another's provider. */
export function isForeign(signature: string, dialect: DialectId): boolean {
  return ORIGIN.test(signature) && !signature.startsWith(`${dialect}:`);
}

/** Marks reasoning that Anthropic shows to nobody: it is all proof and no text. */
export const REDACTED = 'redacted_thinking:';
