import type { JsonObject } from '../../src/core/json.js';

/** One kind of provider. */
interface Column {
  /** Of the table. */
  title: string;
  provider: JsonObject;
  model: string;
}

/** The kinds of provider that stand behind agents, each as strict as the real one. */
export const COLUMNS: Record<string, Column> = {
  chat: { title: 'Chat', provider: { api: 'openai' }, model: 'gpt-x' },
  responses: { title: 'Responses', provider: { api: 'openai', responses: true }, model: 'gpt-x' },
  claude: { title: 'Messages', provider: { api: 'anthropic' }, model: 'claude-x' },
  gemini: { title: 'Gemini 3', provider: { api: 'gemini' }, model: 'gemini-3-pro' },
  deepseek: { title: 'DeepSeek', provider: { api: 'openai', compatible: 'deepseek' }, model: 'deepseek-x' },
  openrouter: {
    title: 'OpenRouter',
    provider: { api: 'openai', compatible: 'openrouter' },
    model: 'some/model',
  },
  mistral: { title: 'Mistral', provider: { api: 'openai', compatible: 'mistral' }, model: 'mistral-x' },
};
