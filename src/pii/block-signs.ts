/**
 * All the words that recognizers look for near what they find. Each block of a text is searched for all of them once.
 */
import { isAscii } from './patterns/units.js';
import { WordSigns } from './word-signs.js';

export const blockSigns = new WordSigns();

/** Words that announce a number of a person. Each type of number has further words of its own. */
export const NUMBER_WORDS = blockSigns.add(
  'card|cards|cc|visa|mastercard|amex|tarjeta|karte|kreditkarte|carte|carta|cartão|kaart|karta|ssn|ssns|social|nhs|aadhaar|aadhar|tfn|abn|acn|medicare|itin|tax|steuer|idnr|nir|insee|sécurité|bsn|burgerservicenummer|pesel|nif|contribuinte|sin|cpf|rrn|identity|iva|piva|vat|ust|tva|btw|phone|telephone|tel|mobile|cell|call|telefon|telefono|teléfono|téléphone|telefone|telefoon|handy|number|nummer|numéro|número|numero',
);

const FOREIGN = /[\u0370-\uffff]/;

/** Whether a text has letters of scripts other than Latin, in which the words here are not written. */
export function hasForeignLetters(text: string): boolean {
  return !isAscii(text) && FOREIGN.test(text);
}
