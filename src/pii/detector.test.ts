import { describe, expect, it, vi } from 'vitest';
import { createDetector, type DetectOptions, ENTITY_TYPES, PiiOptionsError } from './index.js';

/** What was found, as "TYPE text" in order. */
function found(text: string, options: DetectOptions = {}): string[] {
  return createDetector(options)
    .detectSync(text)
    .map(({ entityType, start, end }) => `${entityType} ${text.slice(start, end)}`);
}

describe('a message with personal data', () => {
  it.each([
    ['My email is ada.l@example.org.', 'EMAIL_ADDRESS ada.l@example.org'],
    ['call me at +44 20 7946 0018', 'PHONE_NUMBER +44 20 7946 0018'],
    ['Tel. (212) 555-0143', 'PHONE_NUMBER (212) 555-0143'],
    ['agent: and a number, please?\nuser: +49 151 23847716', 'PHONE_NUMBER +49 151 23847716'],
    ['born sept 4 1991', 'DATE_TIME sept 4 1991'],
    ['john dot smith at example dot com', 'EMAIL_ADDRESS john dot smith at example dot com'],
    ['a.lee [at] example [dot] org', 'EMAIL_ADDRESS a.lee [at] example [dot] org'],
    ['to=a.lee%40example.org', 'EMAIL_ADDRESS a.lee%40example.org'],
    ['my social is 536228914', 'US_SSN 536228914'],
    ['SSN 536-228914', 'US_SSN 536-228914'],
    ['DNI 1234567L', 'ES_NIF 1234567L'],
    ['DNI 6120448X', 'ES_NIF 6120448X'],
    ['the fifth of May, 1980', 'DATE_TIME fifth of May, 1980'],
    ['see you on Friday', 'DATE_TIME Friday'],
    ['since Tuesday, 4 June 2019', 'DATE_TIME Tuesday, 4 June 2019'],
    ['due on 14/02', 'DATE_TIME 14/02'],
    ['we met in March', 'DATE_TIME March'],
    ['he taught from 1998 to 2003', 'DATE_TIME 1998 to 2003'],
    ['[10/Oct/2023:13:55:36 +0200]', 'DATE_TIME 10/Oct/2023:13:55:36 +0200'],
    ['at 2024-05-01T12:00:00.123+02:00', 'DATE_TIME 2024-05-01T12:00:00.123+02:00'],
    ['born on 1984-03-05', 'DATE_TIME 1984-03-05'],
    ['geboren am 3. Juli 1984', 'DATE_TIME 3. Juli 1984'],
    ['nacida el 5 de mayo de 1990', 'DATE_TIME 5 de mayo de 1990'],
    ['ring me on +351 912 604 738', 'PHONE_NUMBER +351 912 604 738'],
    ['pay +1 4111 1111 1111 1111 now', 'CREDIT_CARD 4111 1111 1111 1111'],
    ['from UTC+2 2024-01-01 on', 'DATE_TIME 2024-01-01'],
    ['see https://example.org/a?b=1, please', 'URL https://example.org/a?b=1'],
    ['from 203.0.113.9 again', 'IP_ADDRESS 203.0.113.9'],
    ['from [2001:db8::7]:443 again', 'IP_ADDRESS 2001:db8::7'],
    ['card 4111 1111 1111 1111', 'CREDIT_CARD 4111 1111 1111 1111'],
    ['to 1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2 please', 'CRYPTO 1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2'],
    ['IBAN GB82 WEST 1234 5698 7654 32 ok', 'IBAN_CODE GB82 WEST 1234 5698 7654 32'],
    ['my SSN is 536-22-8914', 'US_SSN 536-22-8914'],
    ["driver's license D1234567", 'US_DRIVER_LICENSE D1234567'],
    ['passport number 512345678', 'US_PASSPORT 512345678'],
    ['bank account 123456789012', 'US_BANK_NUMBER 123456789012'],
    ['my ITIN: 912-78-1234', 'US_ITIN 912-78-1234'],
    ['NHS number 943 476 5919', 'UK_NHS 943 476 5919'],
    ['NRIC S1234567D', 'SG_NRIC_FIN S1234567D'],
    ['ABN 51 824 753 556', 'AU_ABN 51 824 753 556'],
    ['ACN 004 085 616', 'AU_ACN 004 085 616'],
    ['tax file number 123 456 782', 'AU_TFN 123 456 782'],
    ['Medicare 2123 45670 1', 'AU_MEDICARE 2123 45670 1'],
    ['PAN ABCPE1234F', 'IN_PAN ABCPE1234F'],
    ['Aadhaar 3123-4567-8909', 'IN_AADHAAR 3123-4567-8909'],
    ['vehicle KA 05 MH 1234', 'IN_VEHICLE_REGISTRATION KA 05 MH 1234'],
    ['DNI 12345678Z', 'ES_NIF 12345678Z'],
    ['NIE X1234567L', 'ES_NIF X1234567L'],
    ['codice fiscale RSSMRA85T10A562S', 'IT_FISCAL_CODE RSSMRA85T10A562S'],
    ['patente U1H00B000C', 'IT_DRIVER_LICENSE U1H00B000C'],
    ['partita IVA 01333550323', 'IT_VAT_CODE 01333550323'],
    ['passaporto YA1234567', 'IT_PASSPORT YA1234567'],
    ["carta d'identità CA00000AA", 'IT_IDENTITY_CARD CA00000AA'],
    ['DEA number AB1234563', 'MEDICAL_LICENSE AB1234563'],
    ['My name is Maria Fernandez', 'PERSON Maria Fernandez'],
    ['I live in Berlin with my cat', 'LOCATION Berlin'],
    ['She is a Buddhist', 'NRP Buddhist'],
  ])('has its findings: %s → %s', (text, expected) => {
    expect(found(text)).toEqual([expected]);
  });

  it('is tested for every type of the specification, in the table above or in the vectors', () => {
    expect(ENTITY_TYPES).toHaveLength(32);
  });
});

describe('a message without personal data', () => {
  it.each([
    Array.from({ length: 50 }, (_, number) => `token${number}`).join(' '),
    'Where is order #4245427, invoice INV-51867632 and ticket SO-07794212?',
    'call first, 0900-1000 if possible',
    'rose.grant(april.bill)',
    'Upgrade Kubernetes to version 10.7.65 (build 2.14.18).',
    'The call takes 3371 ms at 14:30 and returns 502.',
    'List the top 1404 customers by revenue in a table.',
    'Please rewrite this paragraph in a friendly tone.',
    'Open src/main.rs and README.md, then run node.js with --port 8080.',
    'Commit 3f2504e04f8911d39a0c0305e82c3301 broke the build.',
    'PO84434065 arrived, PO314968 did not.',
    'Firmware version 1.2.3.4 is out, release 10.0.0.1 is not.',
    'Send it to whatsapp, then close ticket 31019994.',
    'std::vector<int> v; MyClass::toString();',
    'see a ::: b and :: too',
    'the patente U1A00B000C has a vowel',
    'the red dot at noon is a dot at rest',
    'the last Friday of the month, march on',
    'MAC address aa:bb:cc:dd:ee:ff, colour #ff00aa',
  ])('has no findings: %s', (text) => {
    expect(found(text)).toEqual([]);
  });
});

describe('scores', () => {
  const scoreOf = (text: string, options: DetectOptions) =>
    createDetector({ scoreThreshold: 0.01, ...options }).detectSync(text)[0]?.score;

  it('are 1 when a checksum is right', () => {
    expect(scoreOf('4111111111111111', { entities: ['CREDIT_CARD'] })).toBe(1);
  });

  it('of a weak pattern are below the default threshold, and 0.35 higher beside a context word', () => {
    expect(scoreOf('512345678', { entities: ['US_PASSPORT'] })).toBe(0.15);
    expect(scoreOf('passport 512345678', { entities: ['US_PASSPORT'] })).toBe(0.5);
  });

  it('are raised by context words of the caller', () => {
    expect(scoreOf('legajo 512345678', { entities: ['US_PASSPORT'] })).toBe(0.15);
    expect(scoreOf('legajo 512345678', { entities: ['US_PASSPORT'], context: ['legajo'] })).toBe(0.5);
  });

  it('below the threshold are not findings', () => {
    expect(found('078 05 1123', { scoreThreshold: 0.9 })).toEqual([]);
  });
});

describe('the nearest context word', () => {
  it('decides between types that fit the same number', () => {
    expect(found('passport=130072298; driver license=413007229')).toEqual([
      'US_PASSPORT 130072298',
      'US_DRIVER_LICENSE 413007229',
    ]);
  });

  it('outweighs a checksum that is right for one number in eleven', () => {
    expect(found('bank account 4010232137')).toEqual(['US_BANK_NUMBER 4010232137']);
  });
});

describe('offsets', () => {
  it.each([
    ['👩‍👩‍👧 mail ada@example.org 🎉', 'EMAIL_ADDRESS ada@example.org'],
    ['cafe\u0301 ada@example.org', 'EMAIL_ADDRESS ada@example.org'],
    ['card ４１１１　１１１１　１１１１　１１１１ ok', 'CREDIT_CARD ４１１１　１１１１　１１１１　１１１１'],
    ['card 4111\u200b1111\u200b1111\u200b1111 ok', 'CREDIT_CARD 4111\u200b1111\u200b1111\u200b1111'],
    ['card 4111–1111–1111–1111 ok', 'CREDIT_CARD 4111–1111–1111–1111'],
    ['card ٤١١١١١١١١١١١١١١١ ok', 'CREDIT_CARD ٤١١١١١١١١١١١١١١١'],
    ['card 𝟒𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏 ok', 'CREDIT_CARD 𝟒𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏'],
  ])('refer to the original text in %j', (text, expected) => {
    expect(found(text, { entities: ['EMAIL_ADDRESS', 'CREDIT_CARD'] })).toEqual([expected]);
  });
});

describe('lists of allowed and denied terms', () => {
  it('drop a finding that an allowed term covers as a whole', () => {
    const text = 'Write to ada@example.org or bob@example.org';
    expect(found(text, { allowList: ['ada@example.org'] })).toEqual(['EMAIL_ADDRESS bob@example.org']);
    expect(found(text, { allowList: ['ada'] })).toHaveLength(2);
  });

  it('make a denied term a finding in upper or lower case, with score 1', () => {
    const [finding] = createDetector({ denyList: ['Project Zeus'] }).detectSync('about PROJECT ZEUS again');
    expect(finding).toMatchObject({ entityType: 'DENY_LIST', start: 6, end: 18, score: 1 });
  });

  it('prefer denied terms to allowed ones and to overlapping findings', () => {
    const lists = { allowList: ['ada@example.org'], denyList: ['/ada@[a-z.]+/'] };
    expect(found('mail ada@example.org', lists)).toEqual(['DENY_LIST ada@example.org']);
  });
});

describe('the options of the detector', () => {
  it('limit the types of findings', () => {
    expect(found('ada@example.org, 203.0.113.9', { entities: ['IP_ADDRESS'] })).toEqual([
      'IP_ADDRESS 203.0.113.9',
    ]);
  });

  it('may name a language without a model, whose names are read with the nearest one', () => {
    expect(createDetector({ language: 'xx' }).languageSupported).toBe(false);
    expect(found('Katarzyna Wiśniewska ada@example.org', { language: 'pl' })).toEqual([
      'PERSON Katarzyna Wiśniewska',
      'EMAIL_ADDRESS ada@example.org',
    ]);
    expect(found('João Pereira mora em Lisboa', { language: 'pt' })).toEqual([
      'PERSON João Pereira',
      'LOCATION Lisboa',
    ]);
  });

  it('include guessing the language of each text', () => {
    const german = 'Ich wohne mit Herrn Stefan Krüger in Leipzig, und das ist nicht weit.';
    expect(found(german, { language: 'auto' })).toEqual(found(german, { language: 'de' }));
    expect(createDetector({ language: 'auto' }).languageSupported).toBe(true);
    expect(createDetector({ language: 'de-AT' }).languageSupported).toBe(true);
  });

  it.each([
    [{ entities: ['PET_NAME' as never] }, 'entities[0]'],
    [{ scoreThreshold: 1.5 }, 'scoreThreshold'],
    [{ denyList: ['ok', '/(/'] }, 'denyList[1]'],
    [{ allowList: ['/(?=a)/'] }, 'allowList[0]'],
    [{ allowList: [''] }, 'allowList[0]'],
    [{ context: [' '] }, 'context[0]'],
  ])('with a mistake are refused: %j', (options, path) => {
    expect(() => createDetector(options)).toThrow(
      expect.objectContaining({ path, constructor: PiiOptionsError }),
    );
  });
});

describe('explanations', () => {
  it('name recognizer, pattern, base score, validation and context word', () => {
    const [finding] = createDetector({ explain: true, entities: ['US_PASSPORT'] }).detectSync(
      'passport 512345678',
    );
    expect(finding?.explanation).toEqual({
      recognizer: 'us-passport',
      pattern: 'digits',
      baseScore: 0.15,
      validation: 'none',
      contextWord: 'passport',
    });
  });

  it('exist for every candidate, also for overlapping and doubtful ones', () => {
    const candidates = createDetector().candidates('order number 4010232137');
    const nhs = candidates.find(({ entityType }) => entityType === 'UK_NHS');
    expect(nhs).toMatchObject({
      score: 0.4,
      explanation: { validation: 'passed', reason: expect.stringContaining('another') },
    });
    expect(candidates.length).toBeGreaterThan(2);
  });
});

describe('asynchronous detection', () => {
  const text = `${'The quarterly report of the team is late again. '.repeat(4000)}Write to ada@example.org.`;

  /** Makes each look at the clock find that a turn's time is over, however fast the machine is. */
  function endEachTurn() {
    let now = performance.now();
    return vi.spyOn(performance, 'now').mockImplementation(() => (now += 1_000));
  }

  it('finds the same as the synchronous call', async () => {
    const detector = createDetector();
    expect(await detector.detect(text)).toEqual(detector.detectSync(text));
  });

  it('lets other work run in between', async () => {
    let turns = 0;
    const count = () => {
      turns++;
      timer = setImmediate(count);
    };
    const detector = createDetector();
    const clock = endEachTurn();
    let timer = setImmediate(count);
    await detector.detect(text);
    clearImmediate(timer);
    clock.mockRestore();
    expect(turns).toBeGreaterThan(2);
  });

  it('stops when it is aborted', async () => {
    const clock = endEachTurn();
    const abort = new AbortController();
    const result = createDetector().detect(text, abort.signal);
    abort.abort(new Error('client gone'));
    await expect(result).rejects.toThrow('client gone');
    clock.mockRestore();
  });

  it('remembers a text, whatever a caller does with the returned findings', async () => {
    const detector = createDetector();
    const first = await detector.detect('ada@example.org');
    first[0]!.start = 99;
    first.length = 0;
    expect(await detector.detect('ada@example.org')).toEqual(detector.detectSync('ada@example.org'));
  });
});

describe('`all` as an entity', () => {
  const text = 'Personalausweis L01X00T471, PESEL 44051401359, jane@example.org';

  it('stands for the identifiers of all countries', () => {
    expect(found(text, { entities: ['all'] })).toEqual([
      'DE_ID_CARD L01X00T471',
      'PL_PESEL 44051401359',
      'EMAIL_ADDRESS jane@example.org',
    ]);
  });

  it('stands for those of the named regions only', () => {
    expect(found(text, { entities: ['all'], regions: ['PL'] })).toEqual([
      'PL_PESEL 44051401359',
      'EMAIL_ADDRESS jane@example.org',
    ]);
  });

  it.each([
    [{ entities: ['all'], regions: ['XX'] }, /no identifiers are known for "XX"/],
    [{ regions: ['DE'] }, /has an effect only where "entities" contains "all"/],
  ] as const)('is refused with the region %j', (options, message) => {
    expect(() => createDetector(options)).toThrow(message);
  });
});
