import { SluiceError } from '../../src/core/errors.js';
import type { Endpoint } from '../../src/core/settings.js';
import type { Dialect } from '../../src/dialects/dialect.js';
import { ResponseStage } from '../../src/pipeline/answer/response-stage.js';
import { finish } from '../../src/pipeline/end/finish.js';
import type { Exchange } from '../../src/pipeline/exchange/exchange.js';
import { receive } from '../../src/pipeline/request/receive.js';
import { piiDetection } from '../../src/plugins/pii-detection/index.js';
import { jsonHead, streamHead, TestOutlet, TestPipeline } from './pipeline.js';
import { pluginEntry } from './plugin-host.js';

/** What a guard does with a finding. */
export type Decision = 'mask' | 'reject';

/** The result: the status that the client gets, and all texts that are passed on. */
export interface Guarded {
  status: number;
  text: string;
}

const LIMITS = {
  request_body_bytes: 1e7,
  response_body_bytes: 1e7,
  metadata_bytes: 1e5,
  schema_bytes: 1e6,
  body_values: 1e5,
  bodies_in_flight_bytes: 1e9,
};

/** An endpoint map with the same endpoint for every name. */
class AnyName extends Map<string, Endpoint> {
  constructor(private readonly endpoint: Endpoint) {
    super();
  }

  override get(): Endpoint {
    return this.endpoint;
  }
}

function open(dialect: Dialect, decision: Decision, stream: boolean): [TestPipeline, Exchange] {
  const config = { mask: decision === 'mask', reject_on_detection: decision === 'reject' };
  const entry = pluginEntry('pii_detection', { phases: ['request', 'response'], config, on_error: 'reject' });
  const pipeline = new TestPipeline({
    plugins: [piiDetection],
    endpoint: { plugins: [entry] },
    limits: LIMITS,
  });
  const { project } = pipeline.exchange();
  const endpoints = new AnyName(pipeline.endpoint);
  const start = { dialect, address: { model: 'support', stream }, project: { ...project, endpoints } };
  return [pipeline, pipeline.exchange(start)];
}

/** A client's request in the form that is passed on to the model. Nothing is passed on where the guard refuses it. */
export async function guardRequest(dialect: Dialect, body: string, decision: Decision): Promise<Guarded> {
  const [pipeline, exchange] = open(dialect, decision, false);
  try {
    await receive(exchange, Buffer.from(body), pipeline.services);
    return { status: 200, text: exchange.document!.text };
  } catch (error) {
    if (error instanceof SluiceError) return { status: error.status, text: '' };
    throw error;
  }
}

/**
 * The answer of a model that speaks the client's API, in the form that the client gets: complete, or as a stream of pieces of
 * this size.
 */
export async function guardAnswer(
  dialect: Dialect,
  answer: string | readonly string[],
  decision: Decision,
): Promise<Guarded> {
  const stream = typeof answer !== 'string';
  const [pipeline, exchange] = open(dialect, decision, stream);
  await receive(exchange, Buffer.from(JSON.stringify(question(dialect, stream))), pipeline.services);
  pipeline.attempt(exchange).attempt.dialect = dialect;
  const outlet = new TestOutlet();
  const stage = new ResponseStage(exchange, pipeline.services, outlet, finish);
  await stage.onHead(stream ? streamHead() : jsonHead());
  for (const piece of stream ? answer : [answer]) {
    if (!outlet.ended) await stage.onChunk(Buffer.from(piece));
  }
  if (!outlet.ended) await stage.onEnd();
  return { status: outlet.status ?? 0, text: outlet.text };
}

/** A short question in each API. */
function question(dialect: Dialect, stream: boolean): object {
  const messages = [{ role: 'user', content: 'Where is it?' }];
  switch (dialect.id) {
    case 'gemini.generate':
      return { contents: [{ role: 'user', parts: [{ text: 'Where is it?' }] }] };
    case 'openai.responses':
      return { model: 'support', input: 'Where is it?', stream };
    case 'anthropic.messages':
      return { model: 'support', max_tokens: 10, messages, stream };
    default:
      return { model: 'support', messages, stream };
  }
}
