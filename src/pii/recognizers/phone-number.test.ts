import { describe, expect, it } from 'vitest';
import { createDetector } from '../index.js';

const phones = createDetector({ entities: ['PHONE_NUMBER'] });
const found = (text: string) => phones.detectSync(text).map(({ start, end }) => text.slice(start, end));

describe('a telephone number', () => {
  it.each([
    ['is 06 39 98 77 10 as far as I know', '06 39 98 77 10'],
    ['is 02.61.91.33.07 since May', '02.61.91.33.07'],
    ['is 0161 496 0388 as far as I know', '0161 496 0388'],
    ['is 07700 900 461 since May', '07700 900 461'],
    ['dele (32) 98841-2076 hoje', '(32) 98841-2076'],
    ['Büro 040 / 2880 4417, nicht vor 17 Uhr', '040 / 2880 4417'],
    ['или 8 (495) 448-09-31 до обеда', '8 (495) 448-09-31'],
  ])('is recognized from its form alone where nothing else has that form: %j', (text, number) => {
    expect(found(text)).toEqual([number]);
  });

  it.each([
    ['my direct line: 030 901820 417', '030 901820 417'],
    ['Meine Durchwahl ist 030 901820 417.', '030 901820 417'],
    ['Puede localizarme en el 612 345 098 hoy.', '612 345 098'],
    ['Mi trovate al 02 8765 4311, interno 5.', '02 8765 4311'],
    ['Ligue para o 21 3456 7890 ou escreva.', '21 3456 7890'],
    ['Bel mij op 020 123 4567 als het niet lukt.', '020 123 4567'],
    ['Proszę dzwonić pod 22 555 01 47 po 16.', '22 555 01 47'],
    ['llamad al 612 448 093, por favor', '612 448 093'],
    ['richiamatemi al 347 118 2096', '347 118 2096'],
    ['rappelez-nous au 022 731 44 55', '022 731 44 55'],
    ['Τηλέφωνο 2410 553 817, έκδοση 5.8.1', '2410 553 817'],
    ['Позвоните мне: 067 448 09 31', '067 448 09 31'],
    ['zadzwońcie na 512 448 093', '512 448 093'],
    ['Ruft mich an: 0664 / 123 45 67', '0664 / 123 45 67'],
  ])('is recognized from what people say about their telephone lines: %j', (text, number) => {
    expect(found(text)).toEqual([number]);
  });

  it.each([
    'The sequence is 06 12 18 24 30 and the next is 36.',
    'offset 01 02 03 04 05',
    'bytes 0a 01 22 33 44 55 66 were read',
    'See line 4201 1187 0034 of the dump',
    'call ref 88-20417 when you get a sec',
    'text case no. 20-448812 to the team',
    'call me back quoting ref 88-20417',
    'el expediente 612 448 093 sigue abierto, llamad ya',
    'Kundennr. 0402 8804417 bitte angeben',
    'klantnummer 0182 551209',
    'she called 14 times, 20 000 000 people saw it',
    'Mobil erreicht man 100.000 Leute',
    '03-17 16:13:38.877  2227  2227 D Call: count gt 0',
    '16:15:01.143  1702 17632 D Telephony: call ended',
    '16:14:04.307 28601 28601 V AudioManager: phone state',
    '[0705/190016:WARNING:dns_config_service.cc] call failed',
    '081111 002741 17343 INFO dfs.DataNode: call',
    'ARPT: 621131.293163: wl0: phone roamed',
    'h = h * 69069 + 907133923',
    'ok ~539 ms (0 s + 539114308 ns)',
  ])('is not recognized in %j', (text) => {
    expect(found(text)).toEqual([]);
  });
});
