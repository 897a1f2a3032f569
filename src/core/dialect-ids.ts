/** The APIs of conversations. A request and its answer can be translated between any two of them. */
export const CONVERSATION_IDS = [
  'openai.chat',
  'openai.responses',
  'anthropic.messages',
  'gemini.generate',
] as const;

/** APIs that cannot be translated: a request of one needs a provider that speaks the same API. */
export const UNTRANSLATED_IDS = ['openai.completions', 'openai.embeddings', 'openai.moderations'] as const;

export type ConversationId = (typeof CONVERSATION_IDS)[number];
export type DialectId = ConversationId | (typeof UNTRANSLATED_IDS)[number];

export const DIALECT_IDS: readonly DialectId[] = [...CONVERSATION_IDS, ...UNTRANSLATED_IDS];
