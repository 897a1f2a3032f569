/** Where a text that has a word of creeds or nations has which of them: asked of such texts alone. */
import { WordSigns } from '../patterns/word-signs.js';

export const creedSigns = new WordSigns();
