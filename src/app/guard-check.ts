import type { GuardDecision, GuardQuestion } from '../admin/dependencies.js';
import type { JsonValue } from '../core/json.js';
import type { MaybePromise } from '../core/pacing/maybe-promise.js';
import { messagesOfText, readChatAnswer, readChatRequest } from '../dialects/chat-messages.js';
import type { HostContext, PhaseOutcome, PluginHost, PreparedPlugin } from '../plugins/runtime/host.js';
import { boundedRun } from '../plugins/runtime/run/run-record.js';

/**
 * Runs the guards of an endpoint on content as if it were a request or an answer. No model is called and no log is
 * written. All guards run, whatever their `sample` is. Throws `invalid_request`.
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

/** Runs the guards of one phase on some content. */
export type Asked = (
  host: PluginHost,
  plugins: readonly PreparedPlugin[],
  context: HostContext,
) => Promise<
  Pick<PhaseOutcome<unknown>, 'runs' | 'modified' | 'rejection'> & {
    messages(): MaybePromise<JsonValue[]>;
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
  const chat = await readChatRequest(endpoint, messages ?? messagesOfText(text ?? '', 'request'));
  return async (host, plugins, context) => {
    const outcome = await host.runRequest(plugins, context, chat.content, chat.request.value);
    return { ...outcome, messages: () => chat.write(outcome.content) };
  };
}

async function askOfAnswer(endpoint: string, { messages = [], text }: GuardQuestion): Promise<Asked> {
  const chat = await readChatAnswer(
    endpoint,
    text === undefined ? messages : [...messages, ...messagesOfText(text, 'response')],
  );
  return async (host, plugins, context) => {
    const { content, before, request } = chat;
    const outcome = await host.runResponse(plugins, context, content, before, request.value);
    return { ...outcome, messages: () => chat.write(outcome.content) };
  };
}
