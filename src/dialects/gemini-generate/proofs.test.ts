import { describe, expect, it } from 'vitest';
import { readProof, showProof } from './proofs.js';

const FOREIGN = 'anthropic.messages:redacted_thinking:EmwKAhgB+/=';

describe('a proof of reasoning', () => {
  it("of another API's model is base64 for clients, and comes back with its origin", () => {
    const shown = showProof(FOREIGN);
    expect(Buffer.from(shown, 'base64').toString('base64')).toBe(shown);
    expect(readProof(shown)).toBe(FOREIGN);
    // As Google's client for Python writes bytes.
    expect(readProof(Buffer.from(shown, 'base64').toString('base64url'))).toBe(FOREIGN);
  });

  it('of its own model stays as it is', () => {
    expect(readProof('CiQB0e2Kb1xY')).toBe('gemini.generate:CiQB0e2Kb1xY');
    expect(showProof('gemini.generate:CiQB0e2Kb1xY')).toBe('CiQB0e2Kb1xY');
    expect(readProof(undefined)).toBeUndefined();
  });

  it('that a client has from an earlier version is read too', () => {
    expect(readProof(FOREIGN)).toBe(FOREIGN);
  });
});
