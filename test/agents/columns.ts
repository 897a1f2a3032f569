import type { JsonObject } from '../../src/core/json.js';

/** The kinds of provider that stand behind agents, each as strict as the real one. */
export const COLUMNS: Record<string, { provider: JsonObject; model: string }> = {
  chat: { provider: { api: 'openai' }, model: 'gpt-x' },
  responses: { provider: { api: 'openai', responses: true }, model: 'gpt-x' },
  deepseek: { provider: { api: 'openai', compatible: 'deepseek' }, model: 'deepseek-x' },
  openrouter: { provider: { api: 'openai', compatible: 'openrouter' }, model: 'some/model' },
  mistral: { provider: { api: 'openai', compatible: 'mistral' }, model: 'mistral-x' },
  claude: { provider: { api: 'anthropic' }, model: 'claude-x' },
  gemini: { provider: { api: 'gemini' }, model: 'gemini-3-pro' },
};
