import { describe, expect, it } from 'vitest';
import { SluiceError } from '../../src/core/errors.js';
import type { Dialect } from '../../src/dialects/dialect.js';
import { dialects } from '../../src/dialects/index.js';
import { formatFrame } from '../../src/dialects/wire/sse.js';
import { decodeAll, fixture, LOG_ID } from './dialects-support.js';

export function describeErrors(dialect: Dialect): void {
  describe('errors', () => {
    const error = new SluiceError('invalid_request', "'model' is required.", { param: 'model' });

    it('writes an error that it reads itself', () => {
      const read = dialect.readError(JSON.parse(dialect.writeError(error, LOG_ID)))!;
      expect(read.message).toContain("'model' is required.");
      expect(['invalid_request_error', 'INVALID_ARGUMENT', undefined]).toContain(read.type);
    });

    it("shows a plugin's own code", () => {
      const rejected = new SluiceError('rejected_by_plugin', 'No.', { clientCode: 'too_rude' });
      expect(dialect.writeError(rejected, LOG_ID)).toContain('too_rude');
      expect(dialect.writeStreamError(rejected, LOG_ID).map(formatFrame).join()).toContain('too_rude');
    });

    it('ends a stream with an error that its decoder understands', () => {
      const [event] = decodeAll(dialect, dialect.writeStreamError(error, LOG_ID));
      expect(event).toMatchObject({ type: 'error' });
      expect((event as { message: string }).message).toContain("'model' is required.");
    });

    it.each(['error-401', 'error-429', 'error-500'])('translates %s of every API', (name) => {
      const types = dialects.map((source) => {
        const provider = source.readError(JSON.parse(fixture(source, 'response.json', name).text))!;
        const status = Number(name.slice(-3));
        const read = dialect.readError(JSON.parse(dialect.translateError(provider, status, LOG_ID)))!;
        expect(read.message).toBe(provider.message);
        return read.type;
      });
      expect(new Set(types).size).toBe(1);
    });
  });
}
