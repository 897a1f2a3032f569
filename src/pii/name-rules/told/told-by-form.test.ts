/** What the form of a name, an address or a firm tells where no list has its words. */
import { describe, expect, it } from 'vitest';
import { createDetector } from '../../index.js';

const found = (text: string, language = 'en') =>
  createDetector({ language })
    .detectSync(text)
    .map(({ entityType, start, end }) => `${entityType} ${text.slice(start, end)}`);

describe('who and what is told by its form', () => {
  it.each([
    ['en', 'My flat is at Korunní 48, 120 00 Praha.', ['LOCATION Korunní 48, 120 00 Praha']],
    ['en', 'It is Karl Johans gate 7, 0154 Oslo.', ['LOCATION Karl Johans gate 7, 0154 Oslo']],
    ['en', 'Ship to 77 Cedar Creek Dr, Austin, TX 78701', ['LOCATION 77 Cedar Creek Dr, Austin, TX 78701']],
    ['en', '14 Quail Run Ct, Apt 4\nReno, NV 89501', ['LOCATION 14 Quail Run Ct, Apt 4\nReno, NV 89501']],
    ['en', 'Nørregade 7, st. th\n1165 København K', ['LOCATION Nørregade 7, st. th\n1165 København K']],
    ['en', 'Flight notes: Doha to Nairobi, 14C', ['LOCATION Doha', 'LOCATION Nairobi']],
    [
      'nl',
      'De huur van Oudezijds Voorburgwal 91, 1012 GC Amsterdam',
      ['LOCATION Oudezijds Voorburgwal 91, 1012 GC Amsterdam'],
    ],
    ['en', '1. AL-HASHIMI/NOOR MRS', ['PERSON AL-HASHIMI/NOOR MRS']],
    ['en', '<ioana> hi, is Răzvan around?', ['PERSON Răzvan']],
    ['en', 'I am running late, please wait.\n\nOyelaran', ['PERSON Oyelaran']],
    ['en', 'Belongs to Hyun-woo Park, call him.', ['PERSON Hyun-woo Park']],
    ['de', 'Mein Kollege Nguyen Duc Anh kommt.', ['PERSON Nguyen Duc Anh']],
    ['en', 'There was a lad called Semisi in my class.', ['PERSON Semisi']],
    ['en', 'Oyunchimeg and Batbayar Dorj flew in.', ['PERSON Oyunchimeg', 'PERSON Batbayar Dorj']],
    ['en', 'team lead is dilshan fernando, ask him', ['PERSON dilshan fernando']],
    ['pt', 'O Nuno chega e a Iracema vai buscar ele.', ['PERSON Nuno', 'PERSON Iracema']],
    ['pt', 'Vou ficar em casa do Rui Sequeira.', ['PERSON Rui Sequeira']],
    ['en', 'The headmaster was Mr. Okoro, 1971–1988.', ['PERSON Okoro', 'DATE_TIME 1971–1988']],
    ['en', 'The vote: 23 Liberals, 4 Greens.', ['NRP Liberals', 'NRP Greens']],
  ])('%s: %s', (language, text, expected) => {
    expect(found(text, language).filter((one) => expected.includes(one))).toEqual(expected);
  });

  it.each([
    ['en', 'Version 14, 411 tests passed, 24 failed'],
    ['en', 'ref 3 Big Blue Run AB 12345'],
    ['en', 'pages 1962–1981, rows 1500-1800, ports 1962-1981'],
    ['en', 'The paint comes in 12 greens, 8 blues and 3 reds.'],
    ['en', 'We buy sensors from Texas Instruments and Johnson Controls.'],
    ['en', 'The quote from Boston Dynamics is too high.'],
    ['en', 'Kalahari Sun lip balm with shea butter, 15 ml.'],
    ['en', 'Mark both as read, mark neither as spam.'],
    ['fr', 'Prends la robe rose, la veste olive et la jupe violette.'],
  ])('nothing, %s: %s', (language, text) => {
    expect(found(text, language)).toEqual([]);
  });
});
