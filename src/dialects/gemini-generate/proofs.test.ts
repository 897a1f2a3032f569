import { describe, expect, it } from 'vitest';
import { readProof, showProof } from './proofs.js';

const FOREIGN = 'anthropic.messages:redacted_thinking:EmwKAhgB+/=';

describe('the signature of reasoning', () => {
  it("from another API's model is base64 for clients, and is sent back to where it came from", () => {
    const shown = showProof(FOREIGN);
    expect(Buffer.from(shown, 'base64').toString('base64')).toBe(shown);
    expect(readProof(shown)).toBe(FOREIGN);
    // As Google's client for Python writes bytes.
    expect(readProof(Buffer.from(shown, 'base64').toString('base64url'))).toBe(FOREIGN);
  });

  it('from its own model stays unchanged', () => {
    expect(readProof('CiQB0e2Kb1xY')).toBe('gemini.generate:CiQB0e2Kb1xY');
    expect(showProof('gemini.generate:CiQB0e2Kb1xY')).toBe('CiQB0e2Kb1xY');
    expect(readProof(undefined)).toBeUndefined();
  });

  it('that a client has from an earlier version is still understood', () => {
    expect(readProof(FOREIGN)).toBe(FOREIGN);
  });
});
