import { expect, it } from 'vitest';
import { conversationIds } from './content.js';

it('a result without an id answers the first call of its name without a result', () => {
  const ids = conversationIds();
  expect(['toolu_1', 'toolu_2', undefined].map((id) => ids.ofCall('weather', id))).toEqual([
    'toolu_1',
    'toolu_2',
    'weather-1',
  ]);
  expect(ids.ofCall('time', undefined)).toBe('time-1');
  expect(ids.ofResult('weather', 'toolu_2')).toBe('toolu_2');
  expect([1, 2].map(() => ids.ofResult('weather', undefined))).toEqual(['toolu_1', 'weather-1']);
  expect(ids.ofResult('time', undefined)).toBe('time-1');
});

it('a result without a call gets an id of its own', () => {
  expect(conversationIds().ofResult('weather', undefined)).toBe('weather-1');
});
