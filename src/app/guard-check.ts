import type { GuardDecision, GuardQuestion } from '../admin/dependencies.js';
import { SluiceError } from '../core/errors.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.js';
import { whereLongInTurns } from '../core/pacing/long-work.js';
import { dialectById } from '../dialects/index.js';
import type { HostContext, PhaseOutcome, PluginHost, PreparedPlugin } from '../plugins/runtime/host.js';
import { boundedRun } from '../plugins/runtime/run/run-record.js';

const CHAT = dialectById('openai.chat');

/**
 * Runs an endpoint's guards on what would be a request or an answer; no model is asked and no log is made. Whatever
 * their sample, all take part. Throws `invalid_request`.
 */
export async function checkGuards(
  host: PluginHost,
  plugins: readonly PreparedPlugin[],
  endpoint: string,
  question: GuardQuestion,
): Promise<GuardDecision> {
  const ask =
    question.phase === 'response'
      ? await askOfAnswer(endpoint, question)
      : await askOfRequest(endpoint, question);
  return runGuards(host, plugins, endpoint, ask);
}

/** One phase of these guards on content that is given. */
export type Asked = (
  host: PluginHost,
  plugins: readonly PreparedPlugin[],
  context: HostContext,
) => Promise<
  Pick<PhaseOutcome<unknown>, 'runs' | 'modified' | 'rejection'> & {
    messages(): JsonValue[] | Promise<JsonValue[]>;
  }
>;

export async function runGuards(
  host: PluginHost,
  plugins: readonly PreparedPlugin[],
  endpoint: string,
  ask: Asked,
): Promise<GuardDecision> {
  const { signal } = new AbortController();
  const context: HostContext = { requestId: 'guard-check', endpoint, metadata: {}, headers: {}, signal };
  const enforced = await ask(
    host,
    plugins.filter(({ entry }) => entry.mode === 'enforce'),
    context,
  );
  const runs = [...enforced.runs];
  for (const plugin of plugins.filter(({ entry }) => entry.mode === 'observe')) {
    const observed = await ask(host, [plugin], context);
    runs.push(...observed.runs.map((run) => ({ ...run, observed: true as const })));
  }
  const plugin_runs = runs.map(boundedRun);
  if (enforced.rejection !== undefined) {
    const { clientCode: code, message, status } = enforced.rejection;
    return { decision: 'reject', plugin_runs, error: { code, message, status } };
  }
  if (!enforced.modified) return { decision: 'pass', plugin_runs };
  return { decision: 'modify', plugin_runs, messages: await enforced.messages() };
}

async function askOfRequest(endpoint: string, { messages, text }: GuardQuestion): Promise<Asked> {
  const document = documentOf({
    model: endpoint,
    messages: messages ?? [{ role: 'user', content: text ?? '' }],
  });
  await whereLongInTurns(CHAT.readRequest(document));
  const neutral = await whereLongInTurns(CHAT.readMessages(document));
  return async (host, plugins, context) => {
    const outcome = await host.runRequest(plugins, context, neutral, document.value);
    const written = () => whereLongInTurns(CHAT.writeMessages(document, outcome.content));
    return { ...outcome, messages: async () => messagesOf((await written()).value) };
  };
}

async function askOfAnswer(endpoint: string, { messages = [], text }: GuardQuestion): Promise<Asked> {
  const last = text === undefined ? messages.at(-1) : { role: 'assistant', content: text };
  const before = text === undefined ? messages.slice(0, -1) : messages;
  if (!isJsonObject(last) || last.role !== 'assistant') {
    throw new SluiceError(
      'invalid_request',
      'The last message of a response must be of the role "assistant".',
      {
        param: 'messages',
      },
    );
  }
  const request = documentOf({ model: endpoint, messages: before });
  if (before.length > 0) await whereLongInTurns(CHAT.readRequest(request));
  const completion = documentOf({
    id: 'guard-check',
    object: 'chat.completion',
    choices: [{ index: 0, message: last, finish_reason: 'stop' }],
  });
  const answer = await whereLongInTurns(CHAT.readAnswer(completion.value));
  if (answer === undefined) {
    throw new SluiceError('invalid_request', 'The last message is no answer of a model.', {
      param: 'messages',
    });
  }
  const neutral = before.length > 0 ? await whereLongInTurns(CHAT.readMessages(request)) : [];
  return async (host, plugins, context) => {
    const outcome = await host.runResponse(plugins, context, answer.choices, neutral, request.value);
    const masked = { ...answer, choices: outcome.content };
    const messages = async () => {
      const { value } = await whereLongInTurns(
        CHAT.adaptAnswer(completion, { logId: 'guard-check' }, masked),
      );
      return [...before, firstMessage(value)];
    };
    return { ...outcome, messages };
  };
}

function documentOf(value: JsonObject) {
  return { text: JSON.stringify(value), value };
}

function messagesOf(body: JsonObject): JsonValue[] {
  return body.messages as JsonValue[];
}

function firstMessage({ choices }: JsonObject): JsonValue {
  return (choices as { message: JsonValue }[])[0]!.message;
}
