// A model that answers at once, with a plain answer of about a kilobyte or a stream of 50 events. It is a process of
// its own, so that its work is not counted as that of a part that is measured. Prints its port.
import { createServer } from 'node:http';
import { reportText } from './bodies.mjs';

const CONTENT = 'The quick brown fox jumps over the lazy dog. '.repeat(18);
const head = { id: 'chatcmpl-1', created: 1700000000, model: 'bench' };
const answerWith = (content) =>
  Buffer.from(
    JSON.stringify({
      ...head,
      object: 'chat.completion',
      choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 200, completion_tokens: 180, total_tokens: 380 },
    }),
  );
const prose = answerWith(CONTENT);
const json = answerWith(JSON.stringify({ name: 'fox', text: CONTENT }));
/** A counter, so that each answer of the model "report" is different. */
let reports = 0;
/** A hundred vectors of 1,536 numbers in base64. */
const vector = Buffer.from(Float32Array.from({ length: 1536 }, (_, at) => Math.sin(at)).buffer).toString(
  'base64',
);
const embeddings = Buffer.from(
  JSON.stringify({
    object: 'list',
    data: Array.from({ length: 100 }, (_, index) => ({ object: 'embedding', index, embedding: vector })),
    model: 'bench',
    usage: { prompt_tokens: 3000, total_tokens: 3000 },
  }),
);
const chunk = (delta, finish_reason = null) =>
  `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
const events = [
  chunk({ role: 'assistant', content: '' }),
  ...Array.from({ length: 47 }, (_, number) => chunk({ content: `token${number} ` })),
  chunk({}, 'stop'),
  'data: [DONE]\n\n',
];

const callChunk = (text) => chunk({ tool_calls: [{ index: 0, function: { arguments: text } }] });
const callUsage = { prompt_tokens: 13_000, completion_tokens: 90, total_tokens: 13_090 };
/** A call of a tool with its usage, for requests with tools. */
const callEvents = [
  chunk({
    ...{ role: 'assistant', content: null },
    tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'tool_1', arguments: '' } }],
  }),
  callChunk('{"path":"'),
  ...Array.from({ length: 45 }, (_, number) => callChunk(`token${number} `)),
  callChunk('"}'),
  chunk({}, 'tool_calls'),
  `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices: [], usage: callUsage })}\n\n`,
  'data: [DONE]\n\n',
];

const server = createServer((request, response) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    // A collector of spans, for an engine that traces.
    if (request.url === '/v1/traces') {
      response.writeHead(200, { 'content-type': 'application/x-protobuf' });
      response.end();
      return;
    }
    const body = Buffer.concat(parts);
    if (!body.includes('"stream":true')) {
      // The model "valid" answers with JSON that fits the benchmark's schema, and any other model with prose.
      const answer = request.url.endsWith('/embeddings')
        ? embeddings
        : body.includes('"model":"report"')
          ? answerWith(reportText(reports++))
          : body.includes('"model":"valid"')
            ? json
            : prose;
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length });
      response.end(answer);
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const stream = body.includes('"tools":[') ? callEvents : events;
    let next = 0;
    // Sends one event in each round of the event loop, as models send them one by one.
    const send = () => {
      if (next === stream.length) return response.end();
      response.write(stream[next++]);
      setImmediate(send);
    };
    send();
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send?.(server.address().port));
