import { expect, it } from 'vitest';
import type { NameSpan } from '../../name-span.js';
import { joinAddresses } from './addresses.js';

/** A text with the places that the model gives between brackets, and what they are joined to. */
function joined(line: string): string[] {
  const spans: NameSpan[] = [];
  let text = '';
  for (const piece of line.split(/(\[[^\]]*\])/)) {
    const isPlace = piece.startsWith('[');
    const found = isPlace ? piece.slice(1, -1) : piece;
    if (isPlace)
      spans.push({ type: 'LOCATION', start: text.length, end: text.length + found.length, score: 0.9 });
    text += found;
  }
  return joinAddresses(text, spans).map(({ start, end }) => text.slice(start, end));
}

it.each([
  '[Pza. del Sol] 5, 3º izq., 08012 [Barcelona]',
  '[Rua Augusta] nº 40, 2º Dto, 1100-053 [Lisboa]',
  '[Corso Umberto], 12/B, 80138 [Napoli]',
  '[12 Strand Street\nSkerries]\n[K34 VW93]',
  '[90 Bay Road]\n[M5V 2T6]',
  '[Suite 40]\n[1 Wharf Road, Leith]',
  '[Prinsenhof 8], [2611 RB Delft]',
  '[Plaza Mayor, 9], [4 C]',
  '[Heron Road\nLower Ashby]\n[Derby\nDE4 5XY]',
  '[8 Heron Road], [Derby DE4 5XY]',
  '[Flat 3, Heron Ports], [Derby DE4 5XY]',
  '[28 Heron Square], [Ashby, WV 10164]',
])('is one address, whatever stands between its parts: %s', (line) => {
  expect(joined(line)).toEqual([line.replace(/[[\]]/g, '')]);
});

it.each([
  '[Via Roma], [Torino]',
  '[Lyon] 3 [Lille]',
  '[Calle Luna] y [Sevilla]',
  '[Apt. 40]\n[Leith]',
  '[Heron Hall], [Derby DE4 5XY]',
])('are two places: %s', (line) => {
  expect(joined(line)).toHaveLength(2);
});
