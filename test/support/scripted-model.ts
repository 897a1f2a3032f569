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
 * A model for clients that only send a prompt. It reads the request as a model would: it calls the tool `weather`
 * where that is offered and has no result yet, answers in JSON where the request asks for JSON in any way, and
 * otherwise explains why the sky is blue. The name of the model in the request can ask for a fault.
 */

export const TEXT = 'Because of Rayleigh scattering. 🌍';
export const WEATHER = { city: 'Rome', degrees: 21 };

/** The server whose rules the model follows. Its answers have reasoning, which OpenAI's own Chat Completions never show. */
const SERVER = 'open';

/** A mark in invalid outputs, which no client may see unless its endpoint releases invalid outputs. */
export const INVALID_MARK = '12345';

/**
 * The reply for a model's name. `bad`: JSON that does not fit the schema. `status-503`: that status. Any other name:
 * a good answer.
 */
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
  // The prompts of dspy describe the form of their fields. Prompts of other clients allow JSON in a code fence.
  if (!isBad && request.text.includes('[[ ## completed ## ]]')) {
    return textReply('[[ ## city ## ]]\nRome\n\n[[ ## degrees ## ]]\n21.0\n\n[[ ## completed ## ]]');
  }
  return textReply(request.text.includes('```json') ? `\`\`\`json\n${output}\n\`\`\`` : output);
}

interface Address {
  model: string;
  stream: boolean;
}

/** Gemini's requests have the model in their path. */
function read(request: ReceivedRequest): { document: JsonDocument; address: Address } {
  const value = request.json();
  const inPath = /models\/([^:/]+):/.exec(request.path)?.[1];
  const model = inPath === undefined ? String(value.model) : decodeURIComponent(inPath);
  return { document: { text: request.text, value }, address: { model, stream: isStream(request) } };
}

const textReply = (text: string) => answerReply({ parts: [{ type: 'text', text }], finishReason: 'stop' });

/** Sends an error without delay, so that a client's own retries do not slow a test down. */
function failure(status: number): Reply {
  const error = { message: `The model says ${status}.`, type: 'scripted', code: 'scripted' };
  return jsonReply(
    { type: 'error', error },
    { status, headers: { 'retry-after-ms': '1', 'retry-after': '0' } },
  );
}
