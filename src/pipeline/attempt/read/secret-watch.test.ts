import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Channel } from '../../../core/answer.js';
import { SecretWatch } from './secret-watch.js';

const SECRET = 'sk-provider-0123456789abcdef';
const at = (part: number): Channel => ({ kind: 'text', choice: 0, part });

describe('a credential in the text of a stream', () => {
  it('is noticed before more than half of it and one piece were sent, however it is cut', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 60, size: 'max' });
    fc.assert(
      fc.property(sizes, fc.string({ maxLength: 30 }), (cuts, before) => {
        const watch = new SecretWatch([SECRET]);
        const text = before + SECRET;
        let said = 0;
        let seen = false;
        for (let cut = 0; said < text.length && !seen; cut++) {
          const size = cuts[cut % cuts.length]!;
          seen = watch.sees(at(0), text.slice(said, said + size));
          said += size;
        }
        expect(seen).toBe(true);
        expect(said).toBeLessThan(before.length + SECRET.length / 2 + 5);
      }),
    );
  });

  it('is noticed where pieces of other texts are in between', () => {
    const watch = new SecretWatch([SECRET]);
    const seen = [...SECRET].some((letter, index) => {
      watch.sees(at(1), 'other ');
      watch.sees(at(2 + (index % 3)), 'more');
      return watch.sees(at(0), letter);
    });
    expect(seen).toBe(true);
  });

  it('is not noticed where a text has only its beginning, or there is no credential', () => {
    const watch = new SecretWatch([SECRET]);
    expect(watch.sees(at(0), 'A key begins with sk-provider- here.')).toBe(false);
    expect(new SecretWatch([]).sees(at(0), SECRET)).toBe(false);
  });
});
