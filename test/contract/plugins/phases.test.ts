import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/core/json.js';
import type { PluginRun } from '../../../src/core/log-record.js';
import type { Phase } from '../../../src/core/settings.js';
import { waitFor } from '../../../src/local/processes/wait.js';
import {
  answerReply,
  dataFrames,
  streamAnswerFrames,
  streamAnswerReply,
  streamedText,
} from '../../support/chat.js';
import { type Answer, borrowGateway, type Gateway } from '../../support/gateway.js';
import { ControlledStream } from '../../support/replies.js';
import { missingPrograms } from '../../support/start-sluice.js';

const BEHAVIOURS = ['pass', 'reject', 'modify', 'throw', 'stall'] as const;
const ON_ERROR = ['allow', 'reject'] as const;
const PHASES: readonly Phase[] = ['request', 'response', 'log'];
type Behaviour = (typeof BEHAVIOURS)[number];
type OnError = (typeof ON_ERROR)[number];

/** How the answer comes and which plugin looks at it: whole, or on a window of the stream. */
const MODES = ['plain', 'stream', 'stream in windows'] as const;
type Mode = (typeof MODES)[number];

const QUESTION = 'Tell me of the FORBIDDEN city.';
const BEFORE = 'There is a lot to be said about this, and none of it is short. ';
const ANSWER = `${BEFORE}It is a FORBIDDEN place. Nobody goes there, as far as anyone can tell.`;
const PIECE_UNITS = 5;
const PIECES = ANSWER.match(new RegExp(`.{1,${PIECE_UNITS}}`, 'gs')) ?? [];

function plugins(mode: Mode): string {
  return mode === 'stream in windows' ? 'behaving_window' : 'behaving';
}

function endpointName(mode: Mode, phase: Phase, behaviour: Behaviour, onError: OnError): string {
  return [plugins(mode), phase, behaviour, onError].join('-');
}

function endpoint(mode: Mode, phase: Phase, behaviour: Behaviour, onError: OnError): JsonObject {
  return {
    name: endpointName(mode, phase, behaviour, onError),
    models: [{ provider: 'fake', model: 'large' }],
    plugins: [
      {
        plugin: plugins(mode),
        phases: [phase],
        config: { behaviour },
        on_error: onError,
        timeout_ms: behaviour === 'stall' ? 100 : 20_000,
      },
    ],
  };
}

function path(name: string): string {
  return fileURLToPath(new URL(`../../fixtures/plugins/${name}`, import.meta.url));
}

const rows = MODES.flatMap((mode) =>
  PHASES.filter((phase) => mode !== 'stream in windows' || phase === 'response').flatMap((phase) =>
    BEHAVIOURS.flatMap((behaviour) => ON_ERROR.map((onError) => ({ mode, phase, behaviour, onError }))),
  ),
);

/** What the row comes to: `failed` is a plugin that did not work where that closes the endpoint. */
function endOf(phase: Phase, behaviour: Behaviour, onError: OnError): 'answered' | 'rejected' | 'failed' {
  if (phase === 'log') return 'answered';
  if (behaviour === 'reject') return 'rejected';
  const fails = behaviour === 'throw' || behaviour === 'stall';
  return fails && onError === 'reject' ? 'failed' : 'answered';
}

function outcomeOf(phase: Phase, behaviour: Behaviour): string {
  // After the answer there is nothing left to reject or change.
  if (phase === 'log' && (behaviour === 'reject' || behaviour === 'modify')) return 'passed';
  return { pass: 'passed', reject: 'rejected', modify: 'modified', throw: 'error', stall: 'timeout' }[
    behaviour
  ];
}

describe.skipIf(missingPrograms !== null)('a plugin behind the gateway', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    const named = new Map(
      rows.map((row) => [
        endpointName(row.mode, row.phase, row.behaviour, row.onError),
        endpoint(row.mode, row.phase, row.behaviour, row.onError),
      ]),
    );
    gateway = await borrowGateway({
      endpoints: [...named.values()],
      settings: { plugins: [path('behaving.mjs'), path('behaving-window.mjs')] },
    });
  });
  afterAll(() => gateway?.stop());
  beforeEach(() => gateway.provider.reset());

  /** The run of the phase in the log; that of the log phase comes after the log. */
  function runOf(id: string, phase: Phase): Promise<PluginRun> {
    return waitFor(
      `the ${phase} run of ${id} lands`,
      async () => {
        const runs: PluginRun[] = (await gateway.log(id)).plugin_runs;
        const run = runs.find((one) => one.phase === phase);
        if (run === undefined) throw new Error(JSON.stringify(runs));
        return run;
      },
      { timeoutMs: 20_000, intervalMs: 20 },
    );
  }

  function ask(mode: Mode, model: string): Promise<Answer> {
    const messages = [{ role: 'user', content: QUESTION }];
    if (mode === 'stream in windows') return askInParts({ model, messages, stream: true });
    gateway.provider.enqueue(mode === 'plain' ? answerReply(ANSWER) : streamAnswerReply(...PIECES));
    return gateway.ask({ model, messages, ...(mode === 'plain' ? {} : { stream: true }) });
  }

  /** The model goes on where the client has the begin of its answer. */
  async function askInParts(request: object): Promise<Answer> {
    const stream = new ControlledStream();
    gateway.provider.enqueue(stream.reply());
    const opening = gateway.open(request);
    const frames = streamAnswerFrames(...PIECES);
    const begin = Math.floor(BEFORE.length / PIECE_UNITS);
    await stream.send(frames.slice(0, begin).join(''));
    const response = await opening;
    await stream.send(frames.slice(begin).join(''));
    await stream.end();
    return gateway.read(response);
  }

  describe.each(rows)(
    '$mode, $phase: $behaviour, $onError on error',
    ({ mode, phase, behaviour, onError }) => {
      const end = endOf(phase, behaviour, onError);
      const inStream = mode === 'stream in windows' && end !== 'answered';
      const changes = behaviour === 'modify';

      it('does on the wire, at the provider and on the log what the documentation says', async () => {
        const answer = await ask(mode, endpointName(mode, phase, behaviour, onError));

        // On the wire.
        if (inStream) {
          expect(answer.status).toBe(200);
          const frames = dataFrames(answer.text);
          expect(
            streamedText(
              frames
                .slice(0, -1)
                .map((frame) => `data: ${frame}\n\n`)
                .join(''),
            ),
          ).toMatch(/^There is/);
          expect(JSON.parse(frames.at(-1)!).error.code).toBe(
            end === 'rejected' ? 'forbidden_word' : 'plugin_failed',
          );
          expect(answer.text).not.toContain('[DONE]');
        } else if (end === 'answered') {
          const text = mode === 'plain' ? answer.json.choices[0].message.content : streamedText(answer.text);
          const expected = phase === 'response' && changes ? ANSWER.replace('FORBIDDEN', '***') : ANSWER;
          expect([answer.status, text]).toEqual([200, expected]);
        } else {
          const [status, code] = end === 'rejected' ? [422, 'forbidden_word'] : [503, 'plugin_failed'];
          expect([answer.status, answer.json.error.code]).toEqual([status, code]);
        }
        if (end !== 'answered') expect(answer.text).not.toContain('FORBIDDEN');
        if (end === 'rejected') expect(answer.text).toContain('This is forbidden.');
        expect(answer.text).not.toContain('the inside of the plugin');

        // At the provider.
        if (phase === 'request' && end !== 'answered') {
          expect(gateway.provider.requests).toEqual([]);
        } else {
          const sent = phase === 'request' && changes ? QUESTION.replace('FORBIDDEN', '***') : QUESTION;
          const body = (await gateway.provider.received()).json();
          expect(body.messages).toEqual([{ role: 'user', content: sent }]);
        }

        // On the log.
        const run = await runOf(answer.id, phase);
        expect(run).toMatchObject({ plugin: plugins(mode), phase, outcome: outcomeOf(phase, behaviour) });
        const log = await gateway.log(answer.id);
        expect(log.status).toBe({ answered: 'success', rejected: 'rejected', failed: 'error' }[end]);
        const kept = JSON.stringify([log.request, log.response]);
        if (end === 'rejected' || changes) {
          const other = phase === 'request' ? log.request : log.response;
          if (phase !== 'log') expect(JSON.stringify(other)).not.toContain('FORBIDDEN');
        } else if (end === 'answered') {
          expect(kept).toContain('It is a FORBIDDEN place.');
        }
        expect(log.tags).toEqual(phase === 'log' && changes ? ['seen-by:behaving'] : []);
      });
    },
  );
});
