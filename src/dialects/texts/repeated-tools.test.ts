import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../core/json.js';
import { atOnce } from '../../core/pacing/steps.js';
import { findTexts } from '../members/find-texts.js';
import { request } from '../openai-chat/members.js';
import { isToolList, toolTexts } from './repeated-tools.js';

const known = request.known.get('tools')!;
let lists = 0;

/** Tools that no other test has, parsed anew in each call. */
function newTools(description = 'Finds a file.'): () => JsonObject[] {
  const tool = {
    type: 'function',
    function: { name: `find_${lists++}`, description: `${description} ${lists}` },
  };
  const written = JSON.stringify([tool]);
  return () => JSON.parse(written) as JsonObject[];
}

const read = (tools: JsonObject[]) => atOnce(toolTexts(tools, known));

describe('tools that come again', () => {
  it('are the same frozen part from the second time on', () => {
    const tools = newTools();
    expect(Object.isFrozen(read(tools()).part)).toBe(false);
    const { part } = read(tools());
    expect(Object.isFrozen(part) && Object.isFrozen(part.parts) && part.parts.every(Object.isFrozen)).toBe(
      true,
    );
    expect(read(tools()).part).toBe(part);
  });

  it('have the texts and places that are found in them', () => {
    const tools = newTools();
    const expected = findTexts(tools(), ['tools'], known);
    for (let time = 1; time <= 3; time++) {
      const { part, places } = read(tools());
      expect(part.parts.map((one) => one.type === 'text' && one.text)).toEqual(
        expected.map(({ text }) => text),
      );
      expect(places.map(({ text }) => text)).toEqual(expected.map(({ text }) => text));
    }
  });

  it('are read anew where anything in them differs', () => {
    const tools = newTools();
    read(tools());
    const { part } = read(tools());
    const changed = tools();
    (changed[0]!.function as JsonObject).description = 'Asks Ada Lovelace.';
    const other = read(changed).part;
    expect(other).not.toBe(part);
    expect(JSON.stringify(other)).toContain('Ada Lovelace');
  });

  it('are kept within bounds: the ones that came last, and none that is long', () => {
    const first = newTools();
    read(first());
    const { part } = read(first());
    for (let count = 0; count < 70; count++) {
      const tools = newTools();
      read(tools());
      read(tools());
    }
    expect(read(first()).part).not.toBe(part);
    const long = newTools('x'.repeat(300_000));
    read(long());
    expect(Object.isFrozen(read(long()).part)).toBe(false);
  });
});

it('a list of tools has objects alone', () => {
  expect(isToolList([{ type: 'function' }])).toBe(true);
  for (const value of [undefined, 'x', {}, [{}, 'x']]) expect(isToolList(value)).toBe(false);
});
