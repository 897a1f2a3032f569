import { describe, expect, it } from 'vitest';
import { createDetector } from '../../index.js';

const detector = createDetector({ entities: ['PERSON', 'LOCATION'] });
const found = (text: string) =>
  detector.detectSync(text).map(({ entityType, start, end }) => `${entityType} ${text.slice(start, end)}`);

describe('names and places in other scripts', () => {
  it.each([
    ['Deliver to ул. Ленина 15, Пермь please.', ['LOCATION ул. Ленина 15, Пермь']],
    ['He lives at улица Садовая, д. 7, кв. 12, Тула.', ['LOCATION улица Садовая, д. 7, кв. 12, Тула']],
    ['Office: Проспект Мира 101, 129085 Москва', ['LOCATION Проспект Мира 101, 129085 Москва']],
    [
      'The clinic is at Λεωφόρος Κηφισίας 100, 115 26 Αθήνα.',
      ['LOCATION Λεωφόρος Κηφισίας 100, 115 26 Αθήνα'],
    ],
    ['Our shop: бул. Витоша 45, София', ['LOCATION бул. Витоша 45, София']],
    ['上海市浦东新区世纪大道100号', ['LOCATION 上海市浦东新区世纪大道100号']],
    ['请寄到广东省深圳市南山区科技南路18号3栋502室。', ['LOCATION 广东省深圳市南山区科技南路18号3栋502室']],
    ['住所は東京都千代田区丸の内1-9-1です', ['LOCATION 東京都千代田区丸の内1-9-1']],
    ['Send it to 서울특별시 강남구 테헤란로 152 today.', ['LOCATION 서울특별시 강남구 테헤란로 152']],
    ['第3回の会議は5号室で行います。', []],
    ['今年销售额增长了100万元', []],
    ['towns: СОФИЯ, ВАРНА', ['LOCATION СОФИЯ', 'LOCATION ВАРНА']],
    ['The meeting with 张伟 and 刘芳 is in 上海.', ['PERSON 张伟', 'PERSON 刘芳', 'LOCATION 上海']],
    ['Signed by 山田太郎 in 東京.', ['PERSON 山田太郎', 'LOCATION 東京']],
    ['Ask 김민수 whether the office in 서울 is open.', ['PERSON 김민수', 'LOCATION 서울']],
  ])('are found: %s', (text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  it.each([
    'What does 你好 mean, and how do I write 谢谢?',
    'How do you pronounce 豆腐 and 面包?',
    'The button says 取消, the other 确定.',
    'The word on the label is «Осторожно», the other is «Спасибо».',
    'Страница 8, таблица 3. Глава 12, часть 4.',
  ])('are not found: %s', (text) => {
    expect(found(text)).toEqual([]);
  });
});
