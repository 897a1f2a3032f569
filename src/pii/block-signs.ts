/** The words that recognizers look for in a block. All of them are searched for once for each block. */
import { WordSigns } from './word-signs.js';

export const blockSigns = new WordSigns();

/** Words for numbers that belong to people; each type's own words say more. */
export const NUMBER_WORDS = blockSigns.add(
  'card|cards|cc|visa|mastercard|amex|tarjeta|karte|kreditkarte|carte|carta|cartão|kaart|karta|ssn|ssns|social|nhs|aadhaar|aadhar|tfn|abn|acn|medicare|itin|tax|steuer|idnr|nir|insee|sécurité|bsn|burgerservicenummer|pesel|nif|contribuinte|sin|cpf|rrn|identity|iva|piva|vat|ust|tva|btw|phone|telephone|tel|mobile|cell|call|telefon|telefono|teléfono|téléphone|telefone|telefoon|handy|number|nummer|numéro|número|numero',
);

/** Letters of scripts other than Latin. The word lists here have no words of them. */
export const FOREIGN = /[\u0370-\uffff]/;
