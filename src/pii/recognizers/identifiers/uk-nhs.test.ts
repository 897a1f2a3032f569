import { describe, expect, it } from 'vitest';
import { createDetector } from '../../detector.js';

const detector = createDetector({ entities: ['UK_NHS'] });

async function found(text: string): Promise<string[]> {
  return (await detector.detect(text)).map(({ start, end }) => text.slice(start, end));
}

describe('a UK_NHS number', () => {
  it('is not found in a timestamp', async () => {
    for (let at = 0; at < 1_000; at++) {
      expect(await found(`{"iat": ${1_000_000_000 + at * 973_641}}`)).toEqual([]);
    }
  });

  it.each(['943 476 5919', '9434765919', '4010232137'])('is found as %s', async (number) => {
    expect(await found(`NHS number ${number}`)).toEqual([number]);
  });
});
