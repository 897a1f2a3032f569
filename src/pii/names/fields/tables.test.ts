import { describe, expect, it } from 'vitest';
import { createDetector } from '../../index.js';

const found = (text: string) =>
  createDetector({ entities: ['PERSON', 'LOCATION', 'DATE_TIME'] })
    .detectSync(text)
    .map(({ entityType, start, end }) => `${entityType} ${text.slice(start, end)}`);

describe('the head of a column tells', () => {
  it.each([
    [
      'a person with the surname first, in quotes',
      'order,customer,city\n7,"Mac Giolla, Saoirse",Sligo\n',
      ['PERSON Mac Giolla, Saoirse', 'LOCATION Sligo'],
    ],
    [
      'in Italian',
      'cognome;nome;comune\nScognamiglio;Ciro;LECCO\n',
      ['PERSON Scognamiglio', 'PERSON Ciro', 'LOCATION LECCO'],
    ],
    [
      'in French',
      'nom;prénom;ville\nLE GOFF;Maëlle;QUIMPER\n',
      ['PERSON LE GOFF', 'PERSON Maëlle', 'LOCATION QUIMPER'],
    ],
    [
      'in German',
      'Name;Straße;Ort\n"Akyüz, Emre";Lindenweg 8;Hagen\n',
      ['PERSON Akyüz, Emre', 'LOCATION Lindenweg 8', 'LOCATION Hagen'],
    ],
    ['in Dutch', 'naam;woonplaats\nMaud Hendrikse;GOES\n', ['PERSON Maud Hendrikse', 'LOCATION GOES']],
    [
      'in Polish',
      'imię;nazwisko;miasto\nCezary;Głowacki;ELBLĄG\n',
      ['PERSON Cezary', 'PERSON Głowacki', 'LOCATION ELBLĄG'],
    ],
    [
      'between tabs',
      'student\tteacher\ttown\nSefa Tuiasosopo\tOswald Tremaine\tApia\n',
      ['PERSON Sefa Tuiasosopo', 'PERSON Oswald Tremaine', 'LOCATION Apia'],
    ],
    [
      'in Markdown, and the days below',
      '| Guest | Room | Arrives |\n|---|---|---|\n| Nomvula Dube | 14 | 03/06 |\n',
      ['PERSON Nomvula Dube', 'DATE_TIME 03/06'],
    ],
    [
      'without a rule, and the years below',
      'Player | Born\nLachlan Doyle | 2001\n',
      ['PERSON Lachlan Doyle', 'DATE_TIME 2001'],
    ],
    [
      'a day with dots',
      '| Gast | Ort | Anreise |\n| Friedlinde Moser | LINZ | 14.02. |\n',
      ['PERSON Friedlinde Moser', 'LOCATION LINZ', 'DATE_TIME 14.02.'],
    ],
  ])('who and where: %s', (_what, text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  it.each([
    ['firms', 'id,customer,total\n1,Globex Holdings,120\n2,"Wonka, Inc.",80\n'],
    ['things with two words', 'sku,title\n881,"Cotton Throw, Blue"\n882,"Desk Lamp, Brass"\n'],
    ['what is for all', 'name,city,owner\nnone,ANY,ROOT\n'],
    ['makers', 'Artikel;Hersteller;Lager\nDrehstuhl;Walter Knoll;Halle B\n'],
    ['names beside versions', 'status,name,version\nOPEN,Jackson Core,2.15\nCLOSED,Ruby Lane,3.1\n'],
    ['regions of a firm', 'region,currency\nEMEA,EUR\nAPAC,VND\n'],
    ['rates', '| Test | Passed | Ratio |\n|---|---|---|\n| Login | yes | 14/15 |\n'],
    ['its own words', '| Guest | Admin | Owner |\n|---|---|---|\n| read | write | all |\n'],
  ])('that nobody is meant: %s', (_what, text) => {
    expect(found(text)).toEqual([]);
  });
});
