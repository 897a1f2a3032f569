/** The demo's project and key, as in demo.yaml. */
export const DEMO_PROJECT = '00000000-0000-4000-8000-000000000001';
export const DEMO_KEY = 'sk-demo';

export interface TourStop {
  title: string;
  /**
   * Commands for a POSIX shell, printed and tested as they are. Later steps may use variables that earlier ones set.
   */
  commands: string[];
  /** Text that the output of the commands must contain. */
  shows: string;
}

export interface TourAddresses {
  gatewayUrl: string;
  adminUrl: string;
}

const KEY = `-H 'authorization: Bearer ${DEMO_KEY}'`;
const SEND = `${KEY} -H 'content-type: application/json' -d`;

/** The steps that a newcomer can paste after `npm start`, in this order. */
export function tourStops({ gatewayUrl, adminUrl }: TourAddresses): TourStop[] {
  const chat = `${gatewayUrl}/${DEMO_PROJECT}/openai/v1/chat/completions`;
  return [
    {
      title: 'An answer',
      commands: [`curl -s ${chat} ${SEND} '${body({ content: 'Hello!' })}'; echo`],
      shows: 'You said:',
    },
    {
      title: 'A stream',
      commands: [`curl -sN ${chat} ${SEND} '${body({ content: 'Count to three.', stream: true })}'`],
      shows: 'data: [DONE]',
    },
    {
      title:
        'An answer that must follow a schema: the answer of the small model is invalid, so the next model answers',
      commands: [`curl -si ${chat} ${SEND} '${body({ content: 'Hello!', response_format: SCHEMA })}'; echo`],
      shows: 'x-sluice-attempts: 2',
    },
    {
      title: 'Personal data, rejected before a model sees it',
      commands: [`curl -s ${chat} ${SEND} '${body({ content: 'I am jane@example.com.' })}'; echo`],
      shows: 'pii_detected',
    },
    {
      title: 'A request with metadata; its log id is kept for the next commands',
      commands: [
        `LOG=$(curl -s -o /dev/null -D - ${chat} ${SEND} '${body({
          content: 'Where is my parcel?',
          metadata: { tier: 'pro' },
        })}' | tr -d '\\r' | sed -n 's/^x-inference-log-id: //p'); echo "$LOG"`,
      ],
      shows: '-7',
    },
    {
      title: 'Feedback on that answer',
      commands: [
        `curl -s ${gatewayUrl}/${DEMO_PROJECT}/feedback/$LOG ${SEND} '${JSON.stringify({
          score: 1,
          weight: 0.5,
          signal_name: 'resolved',
        })}'; echo`,
      ],
      shows: '"message"',
    },
    {
      title: 'Its log',
      commands: [
        `curl -s --retry 9 --retry-all-errors -f ${adminUrl}/${DEMO_PROJECT}/logs/$LOG ${KEY}; echo`,
      ],
      shows: 'tier:pro',
    },
  ];
}

const SCHEMA = {
  type: 'json_schema',
  json_schema: {
    name: 'greeting',
    schema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  },
};

function body(options: { content: string; [field: string]: unknown }): string {
  const { content, ...rest } = options;
  return JSON.stringify({ model: 'demo', ...rest, messages: [{ role: 'user', content }] });
}
