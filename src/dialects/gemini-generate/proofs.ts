import type { JsonObject } from '../../core/json.js';
import type { Part } from '../../core/message.js';
import type { Steps } from '../../core/pacing/steps.js';
import { endsStep } from '../texts/fields.js';
import { isForeign, openReasoning, signatureForClient } from '../translate/signature.js';

/*
 * Google's clients take proofs of reasoning for base64, and its client for Python refuses a whole answer where one is
 * not. So a proof of another API's model, whose origin is written before it, goes to clients in base64 once more.
 */

/** The neutral form of a proof that a client sent back or a provider told. */
export function readProof(shown: string | undefined): string | undefined {
  if (shown === undefined) return undefined;
  const unwrapped = Buffer.from(shown, 'base64').toString('utf8');
  return openReasoning(isForeign(unwrapped, 'gemini.generate') ? unwrapped : shown, 'gemini.generate');
}

/** A neutral proof as a client is shown it. */
export function showProof(signature: string): string {
  return isForeign(signature, 'gemini.generate')
    ? Buffer.from(signature).toString('base64')
    : signatureForClient(signature, 'gemini.generate');
}

/** Parts as the API writes them. A proof without text goes with the part that follows. */
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
    for (const one of yield* writePart(part)) written.push({ ...one, ...proof });
    proof = {};
  }
  return written;
}
