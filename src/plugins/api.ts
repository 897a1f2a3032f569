/*
 * What `sluice/plugin` exports: the contract of plugins, and helpers. The built-in plugins use the same.
 */
export type { TextChange } from '../core/texts/part-texts.js';
export { recordTexts, type StoredText } from '../dialects/stored-texts.js';
export { ConfigMistake } from './contract/config-mistake.js';
export { definePlugin, modify, pass, reject } from './contract/define-plugin.js';
export type * from './contract/plugin.js';
export { maskChoices, maskMessages, maskSpans } from './helpers/mask.js';
export type { Span } from './helpers/mask-spans.js';
export {
  choiceTexts,
  mapChoiceTexts,
  mapMessageTexts,
  messageTexts,
  type PlacedText,
} from './helpers/texts.js';
