import { DEMO_CONVERSATIONS } from './conversations.js';

/** A request of the demo, and the rating of its answer. */
export interface DemoRequest {
  path: string;
  body: Record<string, unknown>;
  feedback?: { score: number; weight: number; qualitative_feedback: string };
}

/** Identifies each log of the demo. */
export const DEMO_MARK = { demo: true } as const;
export const DEMO_TAG = 'demo:true';

const CHAT = 'openai/v1/chat/completions';
const RESPONSES = 'openai/v1/responses';
const MESSAGES = 'anthropic/v1/messages';
const TIERS = ['free', 'pro', 'team'];
const LOCALES = ['de', 'en', 'fr'];
const ROUNDS = 4;

const TICKET = {
  type: 'json_schema',
  json_schema: {
    name: 'ticket',
    schema: {
      type: 'object',
      properties: { subject: { type: 'string' }, urgent: { type: 'boolean' } },
      required: ['subject', 'urgent'],
      additionalProperties: false,
    },
  },
};

/** Some dozens of requests: every API, streams, schemas that one model breaks, and personal data. */
export function demoRequests(): DemoRequest[] {
  const requests: DemoRequest[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, { topic, question, bolder }] of DEMO_CONVERSATIONS.entries()) {
      const metadata = {
        ...DEMO_MARK,
        topic,
        tier: TIERS[(index + round) % TIERS.length],
        locale: LOCALES[(index * 2 + round) % LOCALES.length],
      };
      const bold = round === 2 && bolder !== undefined;
      requests.push({ ...ask(round, index, question, bold, metadata), ...opinion(round, index, bold) });
    }
  }
  return [...requests, ...specials()];
}

function ask(round: number, index: number, question: string, bold: boolean, metadata: object): DemoRequest {
  const creative = bold ? { temperature: 1.5 } : {};
  const common = { model: 'demo', metadata, ...creative };
  const messages = [{ role: 'user', content: question }];
  if (round === 1 && index % 3 === 1) return { path: RESPONSES, body: { ...common, input: question } };
  if (round === 1 && index % 3 === 2) {
    return { path: MESSAGES, body: { ...common, max_tokens: 500, messages } };
  }
  const system = { role: 'system', content: 'You help the customers of a shop. Be short and exact.' };
  const stream = round === 3 && index % 2 === 0;
  return { path: CHAT, body: { ...common, stream, messages: [system, ...messages] } };
}

/** Rates some of the answers: enough for exports and pairs, while many are left to judge. */
function opinion(round: number, index: number, bold: boolean): Pick<DemoRequest, 'feedback'> {
  if (bold) {
    return {
      feedback: { score: -0.5, weight: 1, qualitative_feedback: 'Too bold: nothing of it was asked.' },
    };
  }
  if (round !== 0 || index % 2 === 1) return {};
  return { feedback: { score: 1, weight: 0.5, qualitative_feedback: 'Right and to the point.' } };
}

function specials(): DemoRequest[] {
  const metadata = (topic: string) => ({ ...DEMO_MARK, topic, tier: 'pro' });
  const chat = (topic: string, content: string, rest: object = {}): DemoRequest => ({
    path: CHAT,
    body: { model: 'demo', metadata: metadata(topic), messages: [{ role: 'user', content }], ...rest },
  });
  return [
    chat('ticket', 'Make a ticket of this: the checkout shows a white page.', { response_format: TICKET }),
    chat('ticket', 'Make a ticket of this: the search finds nothing.', { response_format: TICKET }),
    chat('privacy', 'My mail is jane.doe@example.com, where is my order?'),
    chat('privacy', 'Charge the card 4111 1111 1111 1111 again, please.'),
  ];
}
