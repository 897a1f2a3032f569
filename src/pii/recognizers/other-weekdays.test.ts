import { expect, it } from 'vitest';
import { createDetector } from '../index.js';

const detector = createDetector({ entities: ['DATE_TIME', 'PERSON'] });
const found = (text: string) =>
  detector.detectSync(text).map(({ entityType, start, end }) => `${entityType} ${text.slice(start, end)}`);

it.each([
  ['του είπαν Παρασκευή και δεν ήρθε κανείς', 'Παρασκευή'],
  ['θα έρθει τη Δευτέρα το πρωί', 'Δευτέρα'],
  ['мастер сказал ждать до понедельника', 'понедельника'],
  ['приедет в среду утром', 'среду'],
  ['встреча во вторник в 10:00', 'вторник в 10:00'],
  ['зустріч у четвер о десятій', 'четвер'],
  ["зробимо до п'ятниці", "п'ятниці"],
  ['ще дойде в петък сутринта', 'петък'],
])('a weekday in Greek or Cyrillic is a date in any case: %s', (text, day) => {
  expect(found(text)).toEqual([`DATE_TIME ${day}`]);
});

it('begins the date behind it', () => {
  expect(found('в пятницу 13 июня не приду')).toEqual(['DATE_TIME пятницу 13 июня']);
});

it.each([
  'каждый понедельник у нас планерка',
  'по вторникам закрыто',
  'κάθε Δευτέρα έχουμε μάθημα',
  'в среде разработки все упало',
  'раз в неделю',
  'η δεύτερη φορά',
])('does not take a weekly day or another word for a date: %s', (text) => {
  expect(found(text)).toEqual([]);
});

it('leaves her name to somebody who is called so', () => {
  expect(found('η Παρασκευή Νικολάου είναι εδώ')).toEqual(['PERSON Παρασκευή Νικολάου']);
});
