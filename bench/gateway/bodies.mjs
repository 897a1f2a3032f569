/** So many different requests, as a client of a chat sends them: a conversation of about a kilobyte, four metadata keys. */
const BODIES = 400;

const SCHEMA = {
  type: 'object',
  properties: { name: { type: 'string', maxLength: 100 }, text: { type: 'string' } },
  required: ['name', 'text'],
  additionalProperties: false,
};

const WORDS =
  'the model should answer in plain words and say where each figure comes from so that a reader can check it before the report goes to the board next week while our team looks at costs of storage and at requests that took longer than they did in spring'.split(
    ' ',
  );

/** The bodies of one endpoint, always the same ones. `wish` is for the model of the benchmark, such as `events=100`. */
export function requestBodies(endpoint, { stream, schema, wish = '' }) {
  return Array.from({ length: BODIES }, (_, number) => {
    const text = (turn, words) =>
      Array.from(
        { length: words },
        (_, at) => WORDS[(number * 7 + turn * 13 + at * (1 + (number % 5))) % WORDS.length],
      ).join(' ');
    return JSON.stringify({
      model: endpoint,
      messages: [
        { role: 'system', content: `You help the people of department ${number % 12}. ${text(0, 40)}` },
        { role: 'user', content: `${text(1, 45)}?` },
        { role: 'assistant', content: `${text(2, 60)}.` },
        { role: 'user', content: `Question ${number}: ${text(3, 30)}?${wish}` },
      ],
      temperature: 0.2,
      max_tokens: 400,
      metadata: {
        user: `user-${number % 97}`,
        session: `s-${number}`,
        tier: number % 3 ? 'free' : 'paid',
        app: 'chat',
      },
      ...(schema
        ? {
            response_format: {
              type: 'json_schema',
              json_schema: { name: 'answer', strict: true, schema: SCHEMA },
            },
          }
        : {}),
      ...(stream ? { stream: true } : {}),
    });
  });
}
