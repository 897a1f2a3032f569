import { describe, expect, it } from 'vitest';
import { SluiceError } from '../../../core/errors.js';
import { rejectedByPlugin } from './plugin-errors.js';

const PLACE = /^ {4}at /m;

describe("a plugin's rejection", () => {
  it("has the plugin's message, and no stack trace", () => {
    const error = rejectedByPlugin({ message: 'Not here.', code: 'no_names', status: 451 });
    expect(error).toMatchObject({
      code: 'rejected_by_plugin',
      message: 'Not here.',
      clientCode: 'no_names',
      status: 451,
    });
    expect(error.stack).not.toMatch(PLACE);
  });

  it('leaves later errors their stack trace', () => {
    rejectedByPlugin({ message: 'Not here.' });
    expect(new SluiceError('internal_error', 'Broken.').stack).toMatch(PLACE);
  });
});
