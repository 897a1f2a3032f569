import type { JsonObject } from '../../core/json.js';
import type { Part } from '../../core/message.js';
import type { Steps } from '../../core/pacing/steps.js';
import { endsStep } from '../texts/fields.js';
import { isForeign, openReasoning, signatureForClient } from '../translate/signature.js';

/*
 * Google's clients expect proofs of reasoning to be base64, and the client for Python refuses a whole answer where
 * one is not. A proof of another API's model has its origin in front, so for these clients it is encoded in base64
 * once more.
 */

/** The neutral form of a proof that came from a client or a provider. */
export function readProof(shown: string | undefined): string | undefined {
  if (shown === undefined) return undefined;
  const unwrapped = Buffer.from(shown, 'base64').toString('utf8');
  return openReasoning(isForeign(unwrapped, 'gemini.generate') ? unwrapped : shown, 'gemini.generate');
}

/** A neutral proof in the form that clients get. */
export function showProof(signature: string): string {
  return isForeign(signature, 'gemini.generate')
    ? Buffer.from(signature).toString('base64')
    : signatureForClient(signature, 'gemini.generate');
}

/** Parts in the form of the API. A proof without a text is added to the part that follows. */
export function* writeWithProofs(
  parts: readonly Part[],
  writeProof: (signature: string | undefined) => JsonObject,
  writePart: (part: Part) => Steps<JsonObject[]>,
): Steps<JsonObject[]> {
  const written: JsonObject[] = [];
  let proof: JsonObject = {};
  for (const [index, part] of parts.entries()) {
    if (endsStep(index)) yield;
    if (part.type === 'reasoning' && part.text === '') {
      proof = writeProof(part.signature);
      continue;
    }
    for (const one of yield* writePart(part)) written.push(Object.assign({}, one, proof));
    proof = {};
  }
  return written;
}
