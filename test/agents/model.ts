import type { StreamEvent } from '../../src/core/answer.js';
import { isJsonObject, type JsonObject } from '../../src/core/json.js';
import type { Message, Part } from '../../src/core/message.js';
import { atOnce } from '../../src/core/pacing/steps.js';
import { dialectById } from '../../src/dialects/index.js';
import { formatFrame } from '../../src/dialects/wire/sse.js';
import { sampleOf } from '../../src/local/mock-model/schema-sample.js';
import { answerReply } from '../support/answer-reply.js';
import { dialectOfRequest, isStream } from '../support/dialect-provider.js';
import type { ReceivedRequest } from '../support/received-request.js';
import { jsonReply, type Reply } from '../support/replies.js';
import type { ChatServer } from '../support/strict/chat.js';
import { complaints } from '../support/strict/complaints.js';

/*
 * A model for coding agents, behind providers as strict as the real ones. What it does stands in the prompt:
 *
 * SAY-n    it answers SAID-n
 * RUN-n    it has a command run, and answers DONE-n once it was told what the command printed; where it has no tool,
 *          it writes the file `made-n.txt` into its answer
 * SEE-n    it answers SAW-n where it was sent a picture; else it asks for the file, and else it answers BLIND-n
 * WAIT-n   it begins an answer and never ends it
 *
 * The last of them in a conversation counts. A prompt without any is one of the agent's own, such as that for a title.
 */

export interface Refusal {
  provider: string;
  complaints: string[];
}

/** The first step of the path says which provider was called. */
export function providerOf(request: ReceivedRequest): string {
  return request.path.split('/')[1]!;
}

/** The columns that have rules of their own. */
const SERVERS: Record<string, ChatServer> = {
  mistral: 'mistral',
  deepseek: 'deepseek',
  openrouter: 'openrouter',
};

export class AgentModel {
  readonly refusals: Refusal[] = [];
  /** Requests that hang, and whether their client hung up in the end. */
  readonly waiting: { number: string; hungUp: Promise<boolean> }[] = [];
  readonly #requests: string[] = [];
  #calls = 0;

  /** The requests that have a task in them. */
  asked(task: string): string[] {
    return this.#requests.filter((text) => text.includes(task));
  }

  readonly reply: Reply = (response, request) => {
    const counted = countOf(request.path);
    if (counted !== undefined) return jsonReply(counted)(response, request);
    this.#requests.push(request.text);
    const provider = providerOf(request);
    const dialect = dialectOfRequest(request);
    const server = SERVERS[provider] ?? 'openai';
    const found = complaints({ dialect, body: request.json() as JsonObject, server, model: 'gemini-3-pro' });
    if (found.length > 0) {
      this.refusals.push({ provider, complaints: found });
      if (process.env.SHOW !== undefined) console.log(`--- refused: ${found.join('; ')}\n${request.text}`);
      const error = { message: found.join('; '), type: 'invalid_request_error' };
      return jsonReply({ type: 'error', error }, { status: 400 })(response, request);
    }
    return this.#answer(provider, request)(response, request);
  };

  #answer(provider: string, request: ReceivedRequest): Reply {
    const dialect = dialectById(dialectOfRequest(request));
    const value = request.json() as JsonObject;
    const document = { text: request.text, value };
    const { outputSchema } = atOnce(dialect.readRequest(document, { model: 'm', stream: false }));
    if (outputSchema !== undefined)
      return say(JSON.stringify(sampleOf(outputSchema.schema as JsonObject, 'x')));
    const messages = atOnce(dialect.readMessages(document));
    const task = taskOf(messages);
    if (task === undefined) return say('ok');
    const { verb, number } = task;
    const { tools } = dialect.readTools(document);
    switch (verb) {
      case 'SAY':
        return say(`SAID-${number}`);
      case 'RUN': {
        if (request.text.includes(`RAN-${number}-42`)) return say(`DONE-${number}`);
        const shell = tools.find(({ name }) =>
          /^(bash|shell|exec_command|run_shell_command|shell_command)$/i.test(name),
        );
        if (shell === undefined) return say(`made-${number}.txt\n\`\`\`\nMADE-${number}\n\`\`\`\n`);
        // Printed it is another text than written. Agents refuse `$(…)` as an injection.
        const command = `echo 'RAN-${number}'-42`;
        return this.#call(provider, shell.name, argumentsOf(shell.parameters, command));
      }
      case 'SEE': {
        if (messages.some(({ parts }) => hasPicture(parts))) return say(`SAW-${number}`);
        const path = /SEE-\d+ (\/\S+\.png)/.exec(request.text)?.[1];
        const read = tools.find(({ name }) => /^(read|read_file|view_image)$/i.test(name));
        const isAsked = this.#asked.has(`${provider}/${number}`);
        if (path === undefined || read === undefined || isAsked) return say(`BLIND-${number}`);
        this.#asked.add(`${provider}/${number}`);
        const [parameter] = Object.keys(propertiesOf(read.parameters)).filter((name) => /path/i.test(name));
        return this.#call(provider, read.name, { [parameter ?? 'path']: path });
      }
      case 'WAIT':
        return this.#wait(number);
      default:
        throw new Error(`no task is called ${verb}`);
    }
  }

  readonly #asked = new Set<string>();

  #call(provider: string, name: string, args: JsonObject): Reply {
    const number = ++this.#calls;
    const id = provider === 'mistral' ? `call${String(number).padStart(5, '0')}` : `call_${number}`;
    const call: Part = { type: 'tool-call', id, name, arguments: JSON.stringify(args) };
    const thought: Part[] =
      provider === 'deepseek' || provider === 'openrouter'
        ? [{ type: 'reasoning', text: 'I should run it.' }]
        : provider === 'gemini'
          ? [{ type: 'reasoning', text: '', signature: 'gemini.generate:U0lHTkFUVVJF' }]
          : provider === 'claude'
            ? [{ type: 'reasoning', text: 'I should run it.', signature: 'anthropic.messages:U0lHTkFUVVJF' }]
            : [];
    return answerReply({ parts: [...thought, call], finishReason: 'tool-calls' });
  }

  /** Begins to speak, and never goes on. */
  #wait(number: string): Reply {
    return (response, request) => {
      this.waiting.push({ number, hungUp: request.answered.then((whole) => !whole) });
      if (!isStream(request)) return;
      const context = { logId: 'x', streamUsage: true, created: 1, model: 'm' };
      const encoder = dialectById(dialectOfRequest(request)).createEncoder(context);
      const channel = { kind: 'text', choice: 0, part: 0 } as const;
      const begun: StreamEvent[] = [
        { type: 'start', id: 'answer-1', model: 'm' },
        { type: 'delta', channel, text: 'Let me think' },
      ];
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const event of begun)
        for (const frame of encoder.encode(event)) response.write(formatFrame(frame));
    };
  }
}

/** The answer to a request to count tokens. */
function countOf(path: string): JsonObject | undefined {
  if (path.endsWith(':countTokens')) return { totalTokens: 7 };
  if (path.endsWith('/responses/input_tokens')) return { object: 'response.input_tokens', input_tokens: 7 };
  return path.endsWith('/messages/count_tokens') ? { input_tokens: 7 } : undefined;
}

const say = (text: string) => answerReply({ parts: [{ type: 'text', text }], finishReason: 'stop' });

interface Task {
  verb: string;
  number: string;
}

/** The last task that a user gave. */
function taskOf(messages: readonly Message[]): Task | undefined {
  let task: Task | undefined;
  for (const { role, parts } of messages) {
    if (role !== 'user') continue;
    for (const part of parts) {
      if (part.type !== 'text') continue;
      for (const [, verb, number] of part.text.matchAll(/\b(SAY|RUN|SEE|WAIT)-(\d+)\b/g))
        task = { verb: verb!, number: number! };
    }
  }
  return task;
}

function hasPicture(parts: readonly Part[]): boolean {
  return parts.some(
    (part) => part.type === 'image' || (part.type === 'tool-result' && hasPicture(part.parts)),
  );
}

function propertiesOf(parameters: JsonObject | undefined): JsonObject {
  return isJsonObject(parameters?.properties) ? parameters.properties : {};
}

/** Agents name the argument of their shell differently, and want a list of words or one text. */
function argumentsOf(parameters: JsonObject | undefined, command: string): JsonObject {
  const properties = propertiesOf(parameters);
  const name = ['command', 'cmd'].find((known) => properties[known] !== undefined) ?? 'command';
  const wantsList = isJsonObject(properties[name]) && properties[name].type === 'array';
  const more: JsonObject = properties.description === undefined ? {} : { description: 'Prints a word' };
  return { [name]: wantsList ? ['bash', '-lc', command] : command, ...more };
}
