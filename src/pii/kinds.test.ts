/** Kinds of lines that people and programs write, each with all that is found in it. */
import { describe, expect, it } from 'vitest';
import { createDetector } from './index.js';

function found(language: string, text: string): string[] {
  return createDetector({ language })
    .detectSync(text)
    .map(({ entityType, start, end }) => `${entityType} ${text.slice(start, end)}`);
}

type Kind = [language: string, text: string, findings: string[]];

function areFound(kinds: readonly Kind[]): void {
  it.each(kinds)('the kind of %s: %j', (language, text, findings) => {
    expect(found(language, text)).toEqual(findings);
  });
}

describe('sentences, logs and contracts name nobody', () => {
  areFound([
    ['en', 'We met at that point in time.', []],
    ['en', '081109 204815 308 INFO dfs.DataNode', []],
    ['nl', 'De zitting is in september.', ['DATE_TIME september']],
    [
      'en',
      'Write to ada at lind dot org, we met at no point by chance.',
      ['EMAIL_ADDRESS ada at lind dot org'],
    ],
    ['en', 'We start at one point and end at another.', []],
    ['en', 'He worked at a dot com then, as all do at any point es.', []],
    ['en', '03-17 16:13:46.652  2227  2227 I PanelView: expanded', []],
    ['en', '081111 014431 17416 WARN dfs.DataNode$DataXceiver: Got exception', []],
    ['en', '091205 18178 WARN dfs.DataNode$DataXceiver: Got exception', []],
    ['en', 'pid 094031 12608 exited', []],
    ['en', 'You grant us a licence to the Work Products and to any other party’s Marks.', []],
    ['en', 'No Holder may assign its rights to any other Holder.', []],
    ['en', 'The Lessee shall return the Premises to the Lessor.', []],
    ['it', 'Credo che loro possano venire domani.', []],
    ['it', 'Infatti nessuno ne aveva parlato prima.', []],
    ['sv', 'Jag vill finna en plats hemma.', []],
    ['sv', 'Det var inte lätt att hitta någon tid.', []],
    ['da', 'Jeg vil gerne finde et sted at bo.', []],
    ['nl', 'De staf was onder de mensen.', []],
    ['nl', 'Er was onder de bezoekers veel begrip.', []],
    ['pl', 'Nie wiem, czy on jutro przyjdzie.', []],
    ['pt', 'Espero que eles possam falar.', []],
    ['fr', 'Je crois que la plupart viendront demain.', []],
    ['it', 'Spero che essi dovrà parlare.', []],
    ['en', "I'd like a large Macchiato with Vanilla.", []],
    ['en', 'Keppra and Lamictal were raised, Ativan stopped.', []],
    ['en', 'Patient on Zoloft and Xanax; Tylenol as needed.', []],
  ]);
});

describe('people and places in ten languages', () => {
  areFound([
    ['pt', 'O ministro João Gomes esteve em Coimbra.', ['PERSON João Gomes', 'LOCATION Coimbra']],
    ['nl', 'Marieke de Vries woont in Utrecht.', ['PERSON Marieke de Vries', 'LOCATION Utrecht']],
    ['pl', 'Anna Kowalska mieszka w Krakowie.', ['PERSON Anna Kowalska', 'LOCATION Krakowie']],
    ['sv', 'Statsminister Ulf Lindqvist besökte Malmö.', ['PERSON Ulf Lindqvist', 'LOCATION Malmö']],
    ['da', 'Mette Frandsen var i Aarhus.', ['PERSON Mette Frandsen', 'LOCATION Aarhus']],
    ['it', 'Il sindaco Giuseppe Sala è a Milano.', ['PERSON Giuseppe Sala', 'LOCATION Milano']],
    ['zh', '上海市浦东新区世纪大道100号', ['LOCATION 上海市浦东新区世纪大道100号']],
  ]);
});

describe('dates', () => {
  areFound([
    ['en', 'she starts march 3rd, her review is may 21st', ['DATE_TIME march 3rd', 'DATE_TIME may 21st']],
    ['en', 'we met in may and i left in march', ['DATE_TIME may', 'DATE_TIME march']],
    ['en', 'what is in may be wrong', []],
    ['pl', 'Byliśmy tam w maju 2015.', ['DATE_TIME maju 2015']],
    ['en', 'Her lease dates from 2016.', ['DATE_TIME 2016']],
    ['en', 'Signed this twenty-first day of June, 2023.', ['DATE_TIME twenty-first day of June, 2023']],
    ['en', 'Gift for April Dunmore, sent in April.', ['PERSON April Dunmore', 'DATE_TIME April']],
    ['pt', 'O Tiago mudou-se para Évora em junho.', ['PERSON Tiago', 'LOCATION Évora', 'DATE_TIME junho']],
  ]);
});

describe('numbers and addresses', () => {
  areFound([
    ['en', 'Upgrade to 4.12.0.3, the app 7.1.0.9 works; host 10.4.0.3', ['IP_ADDRESS 10.4.0.3']],
    ['fr', 'voyez avec Thibault (06 39 98 14 27)', ['PERSON Thibault', 'PHONE_NUMBER 06 39 98 14 27']],
    ['en', 'call (020 7946 0958) now', ['PHONE_NUMBER 020 7946 0958']],
    [
      'en',
      'call (555) 234-1234 or (0) 20 7946 0958',
      ['PHONE_NUMBER (555) 234-1234', 'PHONE_NUMBER (0) 20 7946 0958'],
    ],
    ['en', 'LISTEN on :::9090 and tcp6 address', []],
    [
      'en',
      'Reset it at https://a.example/reset?mail=jo%40mail.example now',
      ['URL https://a.example/reset?mail=jo%40mail.example'],
    ],
    ['en', 'licence 33905718U, licence 33905718T', ['US_DRIVER_LICENSE 33905718T']],
    ['es', 'Casa de mi tía: Carrera 15 # 93-60, Bogotá.', ['LOCATION Carrera 15 # 93-60, Bogotá']],
  ]);
});

describe('towns', () => {
  areFound([
    [
      'en',
      'Users may not export it from the United States or any foreign country.',
      ['LOCATION United States'],
    ],
    ['en', 'FLOOD ALERT FOR BRISTOL AND CORK: STAY IN', ['LOCATION BRISTOL', 'LOCATION CORK']],
    ['es', 'el paquete salió de huelva ayer', ['LOCATION huelva']],
    [
      'en',
      'Меня зовут Олег, живу во Вроцлаве. Место рождения: Бугульма',
      ['PERSON Олег', 'LOCATION Вроцлаве', 'LOCATION Бугульма'],
    ],
    ['en', 'Десислава Тодорова от Пловдив', ['PERSON Десислава Тодорова', 'LOCATION Пловдив']],
  ]);
});

describe('people', () => {
  areFound([
    ['en', 'hi this is shanelle from work', ['PERSON shanelle']],
    ['de', 'unsere nachbarin, svenja hats gesehen', ['PERSON svenja']],
    ['en', 'they said that mireille cant come', ['PERSON mireille']],
    ['en', 'prices rose and the bill paid off', []],
    ['es', 'lo firma Rosario Cifuentes, que vive en Lugo', ['PERSON Rosario Cifuentes', 'LOCATION Lugo']],
    ['nl', 'Met Jorrit van de receptie, belt u terug?', ['PERSON Jorrit']],
    ['en', 'Blue badge for Pemberton, Alice: expired', ['PERSON Pemberton, Alice']],
    ['en', 'Ο κύριος Παπαδάκης λείπει.', ['PERSON Παπαδάκης']],
    [
      'en',
      'вместо «Гульнара Ахметшина» указано «Гульнара Ахмешина»',
      ['PERSON Гульнара Ахметшина', 'PERSON Гульнара Ахмешина'],
    ],
    ['en', 'It throws IllegalStateException on start.', []],
  ]);
});

describe('code and data', () => {
  areFound([
    ['en', '{"owner":"tomasz wilk"}', ['PERSON tomasz wilk']],
    ['en', '{"assignee": "ingrid solberg", "status": "open"}', ['PERSON ingrid solberg']],
    ['en', '{"owner":"blue team"}', []],
    ['en', '{"owner":"data platform"}', []],
    [
      'en',
      '{"FirstName": "Leonie", "LastName": "Köhler", "BillingCity": "Stuttgart"}',
      ['PERSON Leonie', 'PERSON Köhler', 'LOCATION Stuttgart'],
    ],
    [
      'en',
      'name,street,city,country\nRosa Meyer,Hauptstr. 4,Bonn,Germany\nTom Ek,Storgatan 9,Umeå,Sweden\nLi Ming,Nanjing Rd 5,Shanghai,China\n',
      [
        ...['PERSON Rosa Meyer', 'LOCATION Hauptstr. 4', 'LOCATION Bonn', 'LOCATION Germany'],
        ...['PERSON Tom Ek', 'LOCATION Storgatan 9', 'LOCATION Umeå', 'LOCATION Sweden'],
        ...['PERSON Li Ming', 'LOCATION Nanjing Rd 5', 'LOCATION Shanghai', 'LOCATION China'],
      ],
    ],
    ['en', '{"name":"GREEN VALLEY","email":null}', []],
    ['en', '{"title":"lunch with Ayelet"}', ['PERSON Ayelet']],
    ['en', '{"title":"Ayelet"}', []],
    ['en', 'name=Blue+Widget&price=3', []],
    ['en', '/* Models: Claude Opus 4.5, Claude Sonnet 4. */\nconst a = b();', []],
    ['en', '# checked with Ottoline Marsh\ncurl -s x', ['PERSON Ottoline Marsh']],
    ['en', "UPDATE c SET surname = 'O''Rourke' WHERE id = 3;", ["PERSON O''Rourke"]],
  ]);
});

describe('nationalities', () => {
  areFound([
    ['en', 'She is Danish and loves French cuisine.', ['NRP Danish', 'NRP French']],
    ['en', 'He loves Italian wine and Spanish ham.', ['NRP Italian', 'NRP Spanish']],
    ['en', 'a Polish plumber', ['NRP Polish']],
  ]);
});
