import { describe, expect, it } from 'vitest';
import { createDetector } from '../../index.js';

const entities = ['PERSON', 'LOCATION', 'NRP'] as const;
const found = (text: string, language = 'en') =>
  createDetector({ language, entities: [...entities] })
    .detectSync(text)
    .map(({ entityType, start, end }) => `${entityType} ${text.slice(start, end)}`);

describe('somebody in the books of offices', () => {
  it.each([
    ['Payroll change for Peregrine Ashdown: new account below.', ['Peregrine Ashdown']],
    [
      'Refund for Ottoline Crabbe approved, booking for Leofric Stainer cancelled.',
      ['Ottoline Crabbe', 'Leofric Stainer'],
    ],
    ['Ticket 4412 belongs to Merfyn Penhale now.', ['Merfyn Penhale']],
  ])('%s', (text, names) => {
    expect(found(text)).toEqual(names.map((name) => `PERSON ${name}`));
  });

  it.each([
    'Refund for Premium Plan approved.',
    'Invoice for Web Hosting: 12 EUR.',
    'Booking for Deluxe Room confirmed.',
    'Change request for Azure DevOps was assigned to Platform Team.',
    'License for Microsoft Office renewed, invoice for Creative Cloud attached.',
  ])('is not what is sold: %s', (text) => {
    expect(found(text)).toEqual([]);
  });
});

describe('who signs at the end of a line', () => {
  it.each([
    ['fr', "Merci d'avance, Maëlle", 'Maëlle'],
    ['de', 'Wann kommt der Techniker? LG Wiebke', 'Wiebke'],
    ['es', 'No me ha llegado el reembolso. Un saludo, Iratxe', 'Iratxe'],
    ['it', 'Resto in attesa. Grazie, Loredana', 'Loredana'],
    ['pt', 'Fico a aguardar. Obrigada, Graciete', 'Graciete'],
    ['nl', 'Ik hoor graag van u. Groetjes, Jantine', 'Jantine'],
    ['pl', 'Proszę o zwrot pieniędzy. Pozdrawiam, Bogumiła', 'Bogumiła'],
    ['en', 'The keys are with the porter. Best, Eluned', 'Eluned'],
  ])('%s: %s', (language, text, name) => {
    expect(found(text, language)).toEqual([`PERSON ${name}`]);
  });

  it.each([
    ['en', 'Thanks, Team'],
    ['de', 'Danke, Schatz'],
    ['en', 'Best, worst and average times are in the table.'],
  ])('is not who reads: %s: %s', (language, text) => {
    expect(found(text, language)).toEqual([]);
  });
});

describe('names in small letters that are words', () => {
  it.each([
    ['try wren on (312) 555-0147 before noon', ['wren']],
    ['just ring hephzie on (312) 555-0190 then', ['hephzie']],
    ['ok then, and beau is out until the 5th', ['beau']],
    ['heads up, rowan is on leave and hollis is back next week', ['rowan', 'hollis']],
    ['reed pinged me twice about the invoice', ['reed']],
  ])('are people where they do what people do: %s', (text, names) => {
    expect(found(text)).toEqual(names.map((name) => `PERSON ${name}`));
  });

  it.each([
    'the wren sat on the fence and sang',
    'call helpdesk on 312-555-0190 if it fails again',
    'sage is out of stock again',
    'power is out until noon, the printer is back on',
    'the doc says the api is deprecated',
  ])('are none elsewhere: %s', (text) => {
    expect(found(text)).toEqual([]);
  });
});

describe('creeds and nations', () => {
  it.each([
    ['en', 'Two Quaker teachers and an Amish farmer', ['Quaker', 'Amish']],
    ['en', 'Sunni and Shia pupils, a Methodist minister', ['Sunni', 'Shia', 'Methodist']],
    ['en', "my neighbours are Mormons and Bahá'í", ['Mormons', "Bahá'í"]],
    ['nl', 'zijn vrouw is Braziliaanse, hij is Vlaming', ['Braziliaanse', 'Vlaming']],
    ['de', 'ein syrischer Arzt und zwei Kurdinnen', ['syrischer', 'Kurdinnen']],
  ])('are those of people: %s: %s', (language, text, expected) => {
    expect(found(text, language)).toEqual(expected.map((one) => `NRP ${one}`));
  });

  it.each([
    ['en', 'Quaker Oats with milk'],
    ['en', 'Translate this into German for a leaflet.'],
  ])('%s: none in %s', (language, text) => {
    expect(found(text, language)).toEqual([]);
  });
});
