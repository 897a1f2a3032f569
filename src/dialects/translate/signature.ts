import type { DialectId } from '../../core/dialect-ids.js';

/*
 * A signature proves reasoning, and only the API that made it accepts it. In neutral form it names its origin:
 * `<dialect>:<signature>`. A dialect that passes another API's signature to its client keeps this form, so that it
 * comes back with its origin. A provider only gets signatures of its own API.
 */

/**
 * The form of a signature in neutral form, of any dialect and also of a newer version. Signatures of providers
 * contain no dot and no colon.
 */
const ORIGIN = /^[a-z]+\.[a-z]+:/;

/** The neutral form of a signature that was read in `dialect`. */
export function openReasoning(signature: string | undefined, dialect: DialectId): string | undefined {
  if (signature === undefined || ORIGIN.test(signature)) return signature;
  return `${dialect}:${signature}`;
}

/** A neutral signature in the form for a client of `dialect`. */
export function signatureForClient(signature: string, dialect: DialectId): string {
  const own = `${dialect}:`;
  return signature.startsWith(own) ? signature.slice(own.length) : signature;
}

/** The signature for a provider of `dialect`, or undefined where another API made it. */
export function signatureForProvider(signature: string, dialect: DialectId): string | undefined {
  const own = `${dialect}:`;
  return signature.startsWith(own) ? signature.slice(own.length) : undefined;
}

/** Whether a signature that a client of `dialect` sends back was made by a provider of another dialect. */
export function isForeign(signature: string, dialect: DialectId): boolean {
  return ORIGIN.test(signature) && !signature.startsWith(`${dialect}:`);
}

/** Marks reasoning that Anthropic encrypts: it is a signature without text. */
export const REDACTED = 'redacted_thinking:';
