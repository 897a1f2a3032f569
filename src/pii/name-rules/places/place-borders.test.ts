import { describe, expect, it } from 'vitest';
import { Gazetteer } from '../../model/gazetteer.js';
import { nameModel } from '../../model/names.js';
import type { NameSpan } from '../../name-span.js';
import { isGround, isOfBody, isPlanet, placesOf, stateBehind } from './place-borders.js';

/** A text with the span that the model gives between brackets. */
function marked(line: string, type: NameSpan['type'] = 'LOCATION'): [string, NameSpan] {
  const start = line.indexOf('[');
  const end = line.indexOf(']') - 1;
  return [line.replace(/[[\]]/g, ''), { type, start, end, score: 0.9 }];
}

const textsOf = (text: string, spans: readonly NameSpan[]) =>
  spans.map(({ start, end }) => text.slice(start, end));

describe('several places that the model reads as one', () => {
  it.each([
    ['[Redmoor and Penpillick] in the east', ['Redmoor', 'Penpillick']],
    ['[Ennis, County Clare] (23 January)', ['Ennis', 'County Clare']],
    ['[Tokyo - Narita] is late', ['Tokyo', 'Narita']],
    ['from [Frankfurt via Colombo] home', ['Frankfurt', 'Colombo']],
    ['former [Tennessee Senator Al Gore] spoke', ['Tennessee']],
  ])('%s', (line, places) => {
    const [text, span] = marked(line);
    expect(textsOf(text, placesOf(text, span))).toEqual(places);
  });

  it.each([
    '[Bosnia and Herzegovina] won',
    '[14 Mill Lane, Bath] is sold',
    '[Mill Street and High Street] are closed',
    'return it to [Lauren and Sorlaskeid] 32, please',
    '[Aix-en-Provence] is far',
    '[Washington, D.C] is far',
  ])('but not %s', (line) => {
    const [text, span] = marked(line);
    expect(placesOf(text, span)).toEqual([span]);
  });
});

describe('the state behind a town', () => {
  it.each(['from [Mesa], AZ who', 'at [Mariel], NY.'])('is a place: %s', (line) => {
    const [text, span] = marked(line);
    expect(textsOf(text, stateBehind(text, span))).toEqual([text.slice(span.end + 2, span.end + 4)]);
  });

  it.each(['[Baltimore], MD 21202', '[4 Mill Road], OK then', '[Berlin], OKAY'])(
    'is none, or part of an address: %s',
    (line) => {
      const [text, span] = marked(line);
      expect(stateBehind(text, span)).toEqual([]);
    },
  );
});

describe('a place that is part of another name', () => {
  it.each([
    'the Communist Party of [Iran] said',
    'at the Battle of [Fredericksburg], where',
    'the Army of the [Potomac] came',
    'at [Massachusetts] General Hospital',
    'in the 2017 [United Kingdom] general election',
  ])('is none: %s', (line) => {
    expect(isOfBody(...marked(line))).toBe(true);
  });

  it.each(['the president of [Iran] said', 'before the [Iran] talks', 'a hospital of [Boston]'])(
    'is one by itself: %s',
    (line) => {
      expect(isOfBody(...marked(line))).toBe(false);
    },
  );
});

describe('a planet', () => {
  it.each(['both [Jupiter] and Saturn were', 'the atmosphere of [Venus]', 'Io orbits [Jupiter].'])(
    'is no place: %s',
    (line) => {
      expect(isPlanet(...marked(line))).toBe(true);
    },
  );

  it.each(['a hotel in [Jupiter], Florida', 'the Sun sets in [Boston]'])('is none here: %s', (line) => {
    expect(isPlanet(...marked(line))).toBe(false);
  });
});

describe('what is called like somebody', () => {
  const { lists } = nameModel();

  it.each(['[Elvedon Hall]', '[Lincoln Reservoir]', '[Lake Bellevue]'])('is a place: %s', (line) => {
    expect(isGround(...marked(line, 'PERSON'), new Gazetteer(new Uint16Array(2), new Uint16Array(2)))).toBe(
      true,
    );
  });

  it.each(['[Jerry Hall]', '[Annie Park]', '[Henry Lake]'])('is somebody: %s', (line) => {
    expect(isGround(...marked(line, 'PERSON'), lists)).toBe(false);
  });
});
