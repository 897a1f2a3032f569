import { definePlugin, pass, reject } from 'sluice/plugin';

/**
 * Rejects a request whose newest message from the user speaks of a topic that the operator does not want.
 *
 *   plugins: ["./block-topic.ts"]
 *   …
 *       plugins:
 *         - plugin: block_topic
 *           config: { topics: { medicine: [diagnosis, dosage] }, message: "Please ask a doctor." }
 */
interface Config {
  topics: Record<string, string[]>;
  message: string;
}

interface Prepared {
  message: string;
  patterns: { topic: string; pattern: RegExp }[];
}

export default definePlugin<Config, Prepared>({
  name: 'block_topic',
  description: 'Rejects requests about given topics.',
  configSchema: {
    type: 'object',
    additionalProperties: false,
    required: ['topics'],
    properties: {
      topics: {
        description: 'For each topic the words that tell it, in any case.',
        type: 'object',
        additionalProperties: { type: 'array', minItems: 1, items: { type: 'string', minLength: 1 } },
      },
      message: {
        description: 'What the client reads.',
        type: 'string',
        default: 'This assistant does not speak about that.',
      },
    },
  },

  // Runs once for each configuration, so that no request waits for it.
  prepare: ({ topics, message }) => {
    const patterns = Object.entries(topics).map(([topic, words]) => ({ topic, pattern: anyOf(words) }));
    return { message, patterns };
  },

  request: ({ config, messages }) => {
    const newest = messages.findLast((message) => message.role === 'user');
    const text = (newest?.parts ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('\n');
    const match = config.patterns.find(({ pattern }) => pattern.test(text));
    if (match === undefined) return pass();
    return reject(config.message, { code: 'topic_blocked', annotations: { topic: match.topic } });
  },
});

function anyOf(words: readonly string[]): RegExp {
  const escaped = words.map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${escaped.join('|')})(?![\\p{L}\\p{N}])`, 'iu');
}
