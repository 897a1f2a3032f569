/**
 * Names and towns in Greek and Cyrillic letters, which the name model does not know: first names and stems of towns
 * from a short list, and surnames by their endings beside another capitalised word.
 */
import { matchesOf } from '../matches-of.js';
import type { NameSpan } from '../model/names.js';

const SCRIPT = /[\u0386-\u03ce\u0401-\u0491]/;
const WORD = /(?<![\p{L}])[\u0386-\u03ab\u0401-\u042f][\u0386-\u03ce\u0400-\u0491'’-]{2,30}/gu;
const FIRST_NAME = new RegExp(
  `^(?:${[
    'Александр|Алексе|Анастаси|Андре|Анн|Антон|Артём|Борис|Вадим|Валентин|Валери|Васили|Вер|Виктор|Виктори|Витали',
    'Владимир|Владислав|Вячеслав|Галин|Георги|Григори|Дарь|Денис|Дмитри|Евгени|Екатерин|Елен|Иван|Игор',
    'Ирин|Кирилл|Константин|Ксени|Ларис|Людмил|Максим|Марин|Мари|Михаил|Надежд|Натал(?:ь|и)|Никит|Никола',
    'Оксан|Олег|Ольг|Павел|Павл|Пётр|Петр|Полин|Роман|Светлан|Серге|София|Станислав|Степан|Татьян|Фёдор|Юли|Юри|Яна',
    'Αθανάσιος|Αικατερίνη|Αλέξανδρος|Αναστασία|Ανδρέας|Άννα|Αντώνης|Απόστολος|Βασίλης|Βασιλική|Γεωργία|Γεώργιος|Γιάννης|Γιώργος|Δέσποινα|Δημήτρης',
    'Δήμητρα|Ειρήνη|Ελένη|Ελευθερία|Ευαγγελία|Ευάγγελος|Ιωάννα|Ιωάννης|Κατερίνα|Κωνσταντίνα|Κωνσταντίνος|Κώστας|Μαρία|Μιχάλης|Νίκος|Νικόλαος|Παναγιώτης',
    'Παρασκευή|Πέτρος|Σοφία|Σπύρος|Σταύρος|Στέφανος|Σωτήρης|Χρήστος|Χριστίνα',
  ].join('|')})(?:а|у|ы|и|ю|я|ь|й|ом|ой|ей|ою|е|ем|ём)?$`,
  'u',
);
const SURNAME =
  /(?:ов|ев|ёв|ин|ын|ова|ева|ёва|ина|ына|ову|еву|овой|евой|ский|ская|ской|ского|цкий|цкая|енко|чук|вич|вна|вны|πουλος|πούλου|ίδης|ίδου|άκης|άκη|άδης|άδου|όγλου|ιάδης|ιάδου)$/u;
const TOWN =
  /^(?:Москв|Санкт|Петербург|Новосибирск|Екатеринбург|Казан[ьи]|Самар|Ростов|Воронеж|Краснодар|Саратов|Челябинск|Красноярск|Иркутск|Томск|Тюмен|Сочи$|Калининград|Мурманск|Ярославл|Хабаровск|Владивосток|Омск|Уф[аеыу]$|Перм[ьи]|Минск|Киев|Київ|Києв|Львов|Львів|Одесс|Харьков|Харків|Харков|Днепр|Софи[яию]$|Варн[аеу]$|Пловдив|Белград|Београд|Скопј|Αθήν|Θεσσαλονίκ|Πάτρ|Ηράκλει|Πειραι|Καβάλ|Ιωάννιν|Τρίκαλ|Σέρρ[εώ]|Κέρκυρ|Καλαμάτ|Λαμί|Λάρισ|Βόλο|Ρόδο|Χανι|Λευκωσί|Λεμεσ)/u;
const SCORE = 0.65;

interface Word {
  start: number;
  end: number;
  text: string;
}

/** Adds what it finds in [from, to) of `text`, in order. */
export function otherScripts(text: string, from: number, to: number): NameSpan[] {
  const piece = text.slice(from, to);
  if (!SCRIPT.test(piece)) return [];
  const words: Word[] = [];
  for (const match of matchesOf(piece, WORD)) {
    const start = from + match.index;
    words.push({ start, end: start + match[0].length, text: match[0] });
  }
  const found: NameSpan[] = [];
  for (let i = 0; i < words.length; ) {
    let last = i;
    while (last + 1 < words.length && last - i < 2 && words[last + 1]!.start - words[last]!.end === 1) last++;
    const group = words.slice(i, last + 1);
    const isPerson =
      group.some((one) => FIRST_NAME.test(one.text)) ||
      (group.length > 1 && SURNAME.test(group.at(-1)!.text));
    const [first] = group;
    if (isPerson) found.push({ type: 'PERSON', start: first!.start, end: group.at(-1)!.end, score: SCORE });
    else if (TOWN.test(first!.text))
      found.push({ type: 'LOCATION', start: first!.start, end: first!.end, score: SCORE });
    i = last + 1;
  }
  return found;
}
