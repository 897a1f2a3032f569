import type { JsonDocument } from '../../src/core/json.js';
import { atOnce } from '../../src/core/pacing/steps.js';
import { dialectById } from '../../src/dialects/index.js';
import { answerReply } from './answer-reply.js';
import { dialectOfRequest, isStream, serverFixtureReply } from './dialect-provider.js';
import type { ReceivedRequest } from './received-request.js';
import { jsonReply, type Reply } from './replies.js';
import { refusalOf } from './strict/refusal.js';
import { callReply } from './tool-replies.js';

/*
 * A model for clients that say nothing but their prompt. It looks at the request as a model would: it calls the tool
 * `weather` where that is offered and its result is not there yet, answers in JSON where JSON is asked for, in which
 * way ever, and else says why the sky is blue. Its name says what is wrong with it.
 */

export const TEXT = 'Because of Rayleigh scattering. 🌍';
export const WEATHER = { city: 'Rome', degrees: 21 };

/** Its answers have reasoning, which OpenAI's own Chat Completions never tell. */
const SERVER = 'open';

/** What no client may ever see, unless its endpoint releases invalid outputs. */
export const INVALID_MARK = '12345';

/** `bad`: its JSON breaks the schema. `status-503`: it answers with that status. Any other name: all is well. */
export const scriptedModel: Reply = (response, request) => {
  const refusal = refusalOf(dialectOfRequest(request), request, SERVER);
  if (refusal !== undefined) return refusal(response, request);
  const { address, document } = read(request);
  const status = /^status-(\d{3})$/.exec(address.model)?.[1];
  if (status !== undefined) return failure(Number(status))(response, request);
  return replyTo(request, document, address)(response, request);
};

function replyTo(request: ReceivedRequest, document: JsonDocument, address: Address): Reply {
  const dialect = dialectById(dialectOfRequest(request));
  const { tools, forced } = dialect.readTools(document);
  const names = tools.map(({ name }) => name);
  const isBad = address.model === 'bad';
  const output = JSON.stringify(isBad ? { wrong: Number(INVALID_MARK) } : WEATHER);
  const wantsJson = request.text.includes('Read this');
  const outputTool = forced[0] ?? names.find((name) => name !== 'weather');
  if (wantsJson && outputTool !== undefined) return callReply(outputTool, output);
  if (names.includes('weather') && !request.text.includes('21 degrees'))
    return serverFixtureReply(SERVER, 'tool-call');
  if (request.text.includes('Think about it')) return serverFixtureReply(SERVER, 'reasoning');
  if (!wantsJson) return serverFixtureReply(SERVER, 'text');
  const { outputSchema, outputJson } = atOnce(dialect.readRequest(document, address));
  if (outputSchema !== undefined && !isBad) return serverFixtureReply(SERVER, 'structured-output');
  if (outputSchema !== undefined || outputJson !== undefined) return textReply(output);
  // A prompt of dspy says how it wants its fields, one of other clients that JSON may stand in a fence.
  if (!isBad && request.text.includes('[[ ## completed ## ]]')) {
    return textReply('[[ ## city ## ]]\nRome\n\n[[ ## degrees ## ]]\n21.0\n\n[[ ## completed ## ]]');
  }
  return textReply(request.text.includes('```json') ? `\`\`\`json\n${output}\n\`\`\`` : output);
}

interface Address {
  model: string;
  stream: boolean;
}

/** Gemini has the model in its path. */
function read(request: ReceivedRequest): { document: JsonDocument; address: Address } {
  const value = request.json();
  const inPath = /models\/([^:/]+):/.exec(request.path)?.[1];
  const model = inPath === undefined ? String(value.model) : decodeURIComponent(inPath);
  return { document: { text: request.text, value }, address: { model, stream: isStream(request) } };
}

const textReply = (text: string) => answerReply({ parts: [{ type: 'text', text }], finishReason: 'stop' });

/** So quick that a client's own tries do not hold a test up. */
function failure(status: number): Reply {
  const error = { message: `The model says ${status}.`, type: 'scripted', code: 'scripted' };
  return jsonReply(
    { type: 'error', error },
    { status, headers: { 'retry-after-ms': '1', 'retry-after': '0' } },
  );
}
