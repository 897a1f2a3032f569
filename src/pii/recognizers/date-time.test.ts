import { describe, expect, it } from 'vitest';
import { createDetector } from '../index.js';

const dates = createDetector({ entities: ['DATE_TIME'] });
const scores = createDetector({ entities: ['DATE_TIME'], scoreThreshold: 0.01 });
const found = (text: string) => dates.detectSync(text).map(({ start, end }) => text.slice(start, end));

describe('a bare year after its word', () => {
  it.each([
    'She was diagnosed in 2012 and recovered.',
    'The orchestra was founded in 1977.',
    'He joined Garmin in 2003, as an intern.',
    'The man who became Sheriff in 1998 is here.',
    'a promotion which changed her life in 1995',
    'the house which he bought in 1995',
    'They left the firm, which later became Garmin, in 1965.',
    'Born in 1980, which is long ago',
    'In 2016 my brother moved to Leeds.',
    'She has lived there since 2004 though.',
    'In 2009 Odile sold the farm.',
    'En 1997 ingresó en otro centro',
    'se le diagnosticó en el año 2000 una hepatitis',
    'a principios del 2005 pacientes y médicos',
    'mieszka tu od 2015 roku',
    'Desde 2018 moro em Braga',
    'Sie wohnt seit 1996 zur Miete',
  ])('is a date: %j', (text) => {
    expect(found(text)).toEqual([/\d{4}/.exec(text)![0]]);
  });

  it.each([
    'about 1 in 2000 people',
    'we shipped in 1800 boxes',
    'by 2000 euros more',
    'it listens on port 1984 only',
    'in 1997 cases of 5000',
    'by 1980 MB at most',
    'in 1950 Fällen',
    'en 1936 pacientes',
    'after 2048 of them',
  ])('is not a date where the word counts something: %j', (text) => {
    expect(found(text)).toEqual([]);
  });

  it.each([
    ['in 1993 and 1994, twice', ['1993', '1994']],
    ['kidney (1999 y 2002), then', ['1999', '2002']],
    ['between 2001 and 2005, she', ['2001', '2005']],
    ['from 1987 to 1994', ['1987 to 1994']],
    ['von 1930 bis 1932 war er Senator', ['1930 bis 1932']],
  ])('makes the next year a date too: %j', (text, years) => {
    expect(found(text)).toEqual(years);
  });

  it.each([
    'a year at Acme in Bremen, which later became Garmin in 2003.',
    'the shop, which was then sold in 1965, and its sign',
    'the church, which burned down in 1871',
    'a firm which has originally been started by Lee, Kim and Sons in 1929.',
  ])('is a weak date where the text tells the history of a thing: %j', (text) => {
    expect(found(text)).toEqual([]);
    const [weak] = scores.detectSync(text);
    expect(weak?.score).toBeLessThan(0.5);
  });
});

describe('two years with a dash', () => {
  it.each(['The 2014–2019 model has another gearbox.', 'It holds 1200–1800 litres.'])(
    'are not a date where they belong to a thing: %j',
    (text) => {
      expect(found(text)).toEqual([]);
    },
  );
});

describe('a month in words', () => {
  it.each([
    ['Date: Tue Nov 4 14:02:19 2025 +0100', 'Tue Nov 4 14:02:19 2025 +0100'],
    ['Sat Mar  7 09:00:01 UTC 2026: started', 'Sat Mar  7 09:00:01 UTC 2026'],
    ['Date: Thu, 12 Feb 2026 08:15:00 +0000', 'Thu, 12 Feb 2026 08:15:00 +0000'],
    ['en septiembre del año 2000 por', 'septiembre del año 2000'],
    ['en el mes de marzo de ese', 'marzo'],
    ['deadline 31/08, please', '31/08'],
    ['il est là depuis mars 2019', 'mars 2019'],
    ['closed in may 2021 for good', 'may 2021'],
  ])('is a date together with its day and year: %j', (text, date) => {
    expect(found(text)).toEqual([date]);
  });

  it('is not a date where a digit is part of the word', () => {
    expect(found('the antibody OKT3 and the flag JAN15; they march 2000 miles')).toEqual([]);
  });
});

describe('a day in words', () => {
  it.each([
    ['on the twenty-fourth of May at sea', 'twenty-fourth of May'],
    ['erst am neunundzwanzigsten April 2021 fertig', 'neunundzwanzigsten April 2021'],
    ['depuis le vingt-sept octobre dernier', 'vingt-sept octobre'],
    ['no dia vinte e dois de março de 1984', 'vinte e dois de março de 1984'],
    ['sinds achtentwintig juni', 'achtentwintig juni'],
    ['do siedemnastego lutego 2019', 'siedemnastego lutego 2019'],
    ['встреча 9 октября 2023, вечером', '9 октября 2023'],
    ['στις 4 Μαρτίου 2020 το πρωί', '4 Μαρτίου 2020'],
  ])('is a date: %j', (text, date) => {
    expect(found(text)).toEqual([date]);
  });

  it.each([
    'nineteen seventy dollars',
    'the second of many',
    'a third of them',
    'dos mil personas',
    'eighteen people',
  ])('is not a date where something is counted: %j', (text) => {
    expect(found(text)).toEqual([]);
  });
});

describe('a weekday', () => {
  it.each([
    ['we could do Thursday, if you like', 'Thursday'],
    ['Tuesday works for me', 'Tuesday'],
    ['the van comes Mon 3rd.', 'Mon 3rd'],
    ['moved to Weds, Feb 4', 'Weds, Feb 4'],
    ['ze komt woensdag langs', 'woensdag'],
    ['nos vemos martes y ya', 'martes'],
    ['the retro got moved to tuesday, sorry', 'tuesday'],
    ['they pushed it back to friday because of rain', 'friday'],
    ['rescheduled for monday so no rush', 'monday'],
    ['see you thursday, bring the keys', 'thursday'],
    ['spotkanie przełożone na środę, ok', 'środę'],
    ['die Sitzung wurde auf Donnerstag verschoben', 'Donnerstag'],
  ])('is a date with or without a word before it: %j', (text, date) => {
    expect(found(text)).toEqual([date]);
  });

  it.each([
    'the Monday Standup and the Friday Demo',
    'every Tuesday we swim',
    'los lunes y los viernes cerramos',
    'a Sunday roast',
    'Tuesdays are full',
    'every Sunday at 07:30 we row',
    'they moved every tuesday class',
    'we moved to monday boards',
  ])('is not a date where it is that of every week: %j', (text) => {
    expect(found(text)).toEqual([]);
  });
});

describe('figures without a year', () => {
  it.each([
    ['DOB: 19790214', ['19790214']],
    ['20260105T081530Z started', ['20260105T081530Z']],
  ])('are dates beside words that say so: %j', (text, dates) => {
    expect(found(text)).toEqual(dates);
  });

  it.each([
    'on 3 March 1/2 of them left',
    'open 24/7 since May 3, 24/7',
    'part no. 19790214',
    'page 18/20',
    'step 2/5 started 3/4 full',
  ])('are not dates by themselves: %j', (text) => {
    expect(found(text).filter((date) => !/Ma/.test(date))).toEqual([]);
  });
});

describe('a repeated or numbered item', () => {
  it.each([
    'Or should it be Saturdays? We meet on Mondays.',
    'Her son drives her every Monday and Thursday.',
    'jeden Montag und Mittwoch',
    'Toda sexta-feira há peixe.',
    '"schema": "2024.1.3"',
    'release = web@2025.6.1',
    'JetBrains 2024.10.1 is out',
  ])('is not a date: %s', (text) => {
    expect(found(text)).toEqual([]);
  });

  it.each([
    ['Date: 2024.1.3', '2024.1.3'],
    ['The release of 2024.01.03', '2024.01.03'],
  ])('is a date in another form: %s', (text, date) => {
    expect(found(text)).toEqual([date]);
  });
});

describe('a month', () => {
  it.each([
    ["loyer d'avril impayé", 'avril'],
    ['la facture d’août est arrivée', 'août'],
    ['el recibo de la luz de marzo', 'marzo'],
    ['o aluguel de março atrasou', 'março'],
    ["l'affitto di maggio non pagato", 'maggio'],
    ['huur van april niet betaald', 'april'],
    ['rachunek za maj', 'maj'],
    ['seit Anfang Mai krank', 'Mai'],
    ['at the end of August now', 'August'],
    ['pod koniec maja wyjeżdżam', 'maja'],
  ])('is a date where something is paid for it, or a part of it is meant: %s', (text, month) => {
    expect(found(text)).toEqual([month]);
  });

  it.each(["un poisson d'avril", 'mars est une planète'])('is not a date in %s', (text) => {
    expect(found(text)).toEqual([]);
  });
});

describe('a column of a table', () => {
  it.each(['licence_since', 'valid_until', 'Mitglied seit'])('has years as dates: %s', (head) => {
    expect(found(`name;depot;${head}\nA;X;2009\nB;Y;2016`)).toEqual(['2009', '2016']);
  });
});
