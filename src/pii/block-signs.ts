/** The words that recognizers look for in a block: what of them it may have is looked for once. */
import { WordSigns } from './word-signs.js';

export const blockSigns = new WordSigns();

/** Words that name numbers of persons; those of each type tell more. */
export const NUMBER_WORDS = blockSigns.add(
  'card|cards|cc|visa|mastercard|amex|tarjeta|karte|kreditkarte|carte|carta|cartão|kaart|karta|ssn|ssns|social|nhs|aadhaar|aadhar|tfn|abn|acn|medicare|itin|tax|steuer|idnr|nir|insee|sécurité|bsn|burgerservicenummer|pesel|nif|contribuinte|sin|cpf|rrn|identity|iva|piva|phone|telephone|tel|mobile|cell|call|telefon|telefono|teléfono|téléphone|telefone|telefoon|handy|number|nummer|numéro|número|numero',
);

/** Letters of other scripts than Latin: words in them are in no list here. */
export const FOREIGN = /[\u0370-\uffff]/;
