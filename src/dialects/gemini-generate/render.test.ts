import { expect, it } from 'vitest';
import { writeTail } from './render.js';

it('writes the time of an answer, and leaves out an invalid one', () => {
  const answer = { id: 'a', model: 'm', created: 1_700_000_000 };
  expect(writeTail(answer, 'm')).toMatchObject({ createTime: '2023-11-14T22:13:20.000Z' });
  expect(writeTail({ ...answer, created: 1e308 }, 'm')).not.toHaveProperty('createTime');
});
