/*
 * What `sluice/plugin` gives to plugins: the contract and helpers. The built-in plugins are written with the same.
 */
export type { TextChange } from '../core/part-texts.js';
export { recordTexts, type StoredText } from '../dialects/stored-texts.js';
export { definePlugin, modify, pass, reject } from './define-plugin.js';
export { maskChoices, maskMessages, maskSpans } from './helpers/mask.js';
export type { Span } from './helpers/mask-spans.js';
export {
  choiceTexts,
  mapChoiceTexts,
  mapMessageTexts,
  messageTexts,
  type PlacedText,
} from './helpers/texts.js';
export { ConfigMistake } from './host/config-mistake.js';
export type * from './plugin.js';
