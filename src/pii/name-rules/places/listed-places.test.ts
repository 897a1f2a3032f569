import { describe, expect, it } from 'vitest';
import { nameModel } from '../../model/names.js';
import { nameSigns } from '../name-signs.js';
import { addListedPlaces } from './listed-places.js';

/** The places that the rule adds to those between brackets; somebody stands between braces. */
function added(line: string): string[] {
  const text = line.replace(/[[\]{}]/g, '');
  const spans = [...line.matchAll(/\[[^\]]*\]|\{[^}]*\}/g)].map(({ index, 0: marked }) => {
    const start = line.slice(0, index).replace(/[[\]{}]/g, '').length;
    const type = marked.startsWith('[') ? ('LOCATION' as const) : ('PERSON' as const);
    return { type, start, end: start + marked.length - 2, score: 0.7 };
  });
  const signs = nameSigns.in(text, 0, text.length);
  return addListedPlaces(text, 0, text.length, spans, nameModel().lists, signs)
    .filter(({ start, type }) => !spans.some((span) => span.start === start && span.type === type))
    .map(({ start, end }) => text.slice(start, end));
}

describe('lists of places', () => {
  it.each([
    ['villages such as Tregarrow, Pelynt and Quethiock', ['Tregarrow', 'Pelynt', 'Quethiock']],
    [
      'Places in the valley include: Ostrel, {Marlow Head} and Upper Wend.',
      ['Ostrel', 'Marlow Head', 'Upper Wend'],
    ],
    ['the islands of [Unst], Fetlar and Yell', ['Fetlar', 'Yell']],
    ['It held [Barnsley], [Batley], Ossett, [Pudsey], {Morley} and [Todmorden].', ['Ossett', 'Morley']],
  ])('%s', (line, places) => {
    expect(added(line)).toEqual(places);
  });

  it.each([
    'We met in towns where Sanna, Orla and Fintan work',
    'places where people like Sanna, Orla and Fintan meet',
    'offices in [Oslo], Google and Slack',
    '[Oslo], Sanna, Orla and Fintan',
    'flights to [Oslo], [Riga], [Turin], Monday and Python',
  ])('but not %s', (line) => {
    expect(added(line)).toEqual([]);
  });
});
