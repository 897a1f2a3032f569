/** The words that recognizers look for in a block: what of them it may have is looked for once. */
import { WordSigns } from './patterns/word-signs.js';

export const blockSigns = new WordSigns();
