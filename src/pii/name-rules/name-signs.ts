import { WordSigns } from '../word-signs.js';

/** The words that names are told by, of all rules: what of them a text may have is looked for once. */
export const nameSigns = new WordSigns();
