import assert from 'node:assert/strict';
import type { JsonObject, Message, Plugin } from '../contract/plugin.js';
import { streamModeOf } from '../runtime/prepare/plugin-shape.js';
import { answered, asked, emptyLog, logOf, ODD_MESSAGES } from './samples.js';
import { Trial, type Verdict } from './trial.js';

/* What `sluice/plugin/testing` exports: conformance tests for plugins, for any test runner. */

export interface TextSamples {
  /** Texts that must pass unchanged. */
  passes: readonly string[];
  /** Texts that must be rejected, each with the code that the client gets. */
  rejects?: Readonly<Record<string, string>>;
  /** Texts that must be changed to another one. */
  modifies?: Readonly<Record<string, string>>;
}

export interface PluginSamples {
  /** A configuration as under `config` in sluice.yaml. */
  config?: JsonObject;
  /** Configurations that must be refused. */
  badConfigs?: readonly JsonObject[];
  /** Texts of users; for a plugin with `request`. */
  request?: TextSamples;
  /** Texts of models; for a plugin with `response` or `responseWindow`. */
  response?: TextSamples;
  /** For a plugin with `log`: texts of an answer, each with the tags that its log should get. */
  tags?: Readonly<Record<string, readonly string[]>>;
  /** The entry's `timeout_ms`, in milliseconds; 1000 by default. */
  timeoutMs?: number;
}

export interface ConformanceTest {
  name: string;
  /** Throws an AssertionError that says what was expected and what happened. */
  run(): Promise<void>;
}

type Expected = Pick<Verdict, 'outcome' | 'text' | 'code'>;

const LONG_TEXT = 'A plain word of a long text. '.repeat(9_000);
const AT_ONCE = 20;

/**
 * Tests that every plugin must pass: it decides on the samples as their author says, in streams too, wherever they are
 * cut; it handles messages of every form, long texts and concurrent calls; and it refuses bad configurations.
 *
 * @param samples texts with what must happen to them. A plugin with `request` needs `samples.request`, one with
 * `response` or `responseWindow` needs `samples.response`.
 * @returns tests for any test runner: a name, and a function that rejects with an AssertionError where the plugin fails
 * @throws Error where `samples.config` is not valid, or the samples of a phase are missing
 * @example
 * ```ts
 * const plugin = definePlugin({
 *   name: 'no_digits',
 *   configSchema: { type: 'object' },
 *   request: ({ messages }) =>
 *     messageTexts(messages).some(({ text }) => /\d/.test(text)) ? reject('No digits.', { code: 'digits' }) : pass(),
 * });
 * const samples = { request: { passes: ['Hi'], rejects: { 'Room 12': 'digits' } } };
 * const tests = conformanceTests(plugin, samples);
 * await tests[1].run();
 * tests[1].name;
 * // => 'no_digits in a request, on "Room 12": rejected'
 * ```
 */
export function conformanceTests(plugin: Plugin<unknown>, samples: PluginSamples): ConformanceTest[] {
  const { config = {}, timeoutMs = 1_000 } = samples;
  const open = () => new Trial(plugin, config, timeoutMs);
  const { phases, guardsInWindows } = open();
  const test = (name: string, check: (trial: Trial) => Promise<void>): ConformanceTest => ({
    name: `${plugin.name} ${name}`,
    run: async () => {
      const trial = open();
      await check(trial).finally(() => trial.close());
    },
  });
  const requests = phases.includes('request') ? expectations(samples.request, 'request') : [];
  const answers = phases.includes('response') ? expectations(samples.response, 'response') : [];
  return [
    ...badConfigTests(plugin, samples, timeoutMs),
    ...requests.map(([text, expected]) => requestTest(test, text, expected)),
    ...answers.map(([text, expected]) => responseTest(test, text, expected)),
    ...(guardsInWindows
      ? answers.flatMap(([text, expected]) => streamTests(test, plugin, text, expected))
      : []),
    ...(phases.includes('log') ? logTests(test, samples) : []),
    ...enduranceTests(test, requests, answers),
  ];
}

function expectations(samples: TextSamples | undefined, phase: string): [string, Expected][] {
  if (samples === undefined)
    throw new Error(`there are no samples for the phase '${phase}', in which it runs`);
  const { passes, rejects = {}, modifies = {} } = samples;
  return [
    ...passes.map((text): [string, Expected] => [text, { outcome: 'passed', text }]),
    ...Object.entries(rejects).map(([text, code]): [string, Expected] => [
      text,
      { outcome: 'rejected', code },
    ]),
    ...Object.entries(modifies).map(([text, to]): [string, Expected] => [
      text,
      { outcome: 'modified', text: to },
    ]),
  ];
}

type MakeTest = (name: string, check: (trial: Trial) => Promise<void>) => ConformanceTest;

function badConfigTests(plugin: Plugin<unknown>, { badConfigs = [] }: PluginSamples, timeoutMs: number) {
  return badConfigs.map((config) => ({
    name: `${plugin.name} refuses the configuration ${JSON.stringify(config)}`,
    run: async () => {
      assert.throws(() => new Trial(plugin, config, timeoutMs), 'it was taken');
    },
  }));
}

function requestTest(test: MakeTest, text: string, expected: Expected): ConformanceTest {
  return test(`in a request, on ${named(text)}: ${expected.outcome}`, async (trial) => {
    check(await trial.request(asked(text)), expected);
  });
}

function responseTest(test: MakeTest, text: string, expected: Expected): ConformanceTest {
  return test(`in an answer, on ${named(text)}: ${expected.outcome}`, async (trial) => {
    check(await trial.response(answered(text)), expected);
  });
}

/** Tests that a stream is judged like the complete text, wherever it is split and whatever is around it. */
function streamTests(
  test: MakeTest,
  plugin: Plugin<unknown>,
  text: string,
  expected: Expected,
): ConformanceTest[] {
  return [
    test(`in a stream that is cut anywhere, on ${named(text)}: ${expected.outcome}`, async (trial) => {
      for (let at = 0; at <= text.length; at++) {
        check(await trial.stream([text.slice(0, at), text.slice(at)]), expected, `cut at ${at}`);
      }
      check(await trial.stream([...text]), expected, 'character by character');
    }),
    test(`in the midst of a long stream, on ${named(text)}: ${expected.outcome}`, async (trial) => {
      const mode = streamModeOf(plugin, trial.prepared[0]!.config);
      const around = ' . '.repeat(mode === 'whole' ? 1 : mode.window);
      const verdict = await trial.stream([...`${around}${text}${around}`]);
      const whole = expected.text === undefined ? {} : { text: `${around}${expected.text}${around}` };
      check(verdict, { ...expected, ...whole }, 'character by character');
    }),
  ];
}

function logTests(test: MakeTest, { request, response, tags = {} }: PluginSamples): ConformanceTest[] {
  const texts = [...(request?.passes ?? []), ...(response?.passes ?? []), ...Object.keys(tags)];
  return [
    ...Object.entries(tags).map(([text, expected]) =>
      test(`tags a log whose answer is ${named(text)}`, async (trial) => {
        assert.deepEqual((await trial.log(logOf(text))).addTags, expected);
      }),
    ),
    test('says the same of a log each time, as after a crash', async (trial) => {
      for (const text of texts) {
        const first = await trial.log(logOf(text));
        worked(first.run);
        assert.deepEqual((await trial.log(logOf(text))).addTags, first.addTags);
      }
    }),
    test('handles a log without bodies', async (trial) => worked((await trial.log(emptyLog())).run)),
  ];
}

type Samples = readonly [string, Expected][];

function enduranceTests(test: MakeTest, requests: Samples, answers: Samples): ConformanceTest[] {
  const ask = (trial: Trial) => (text: string) => trial.request(asked(text));
  const answer = (trial: Trial) => (text: string) => trial.response(answered(text));
  return [
    ...(requests.length > 0
      ? phaseTests(test, 'requests', requests, ask, (trial, messages) => trial.request(messages))
      : []),
    ...(answers.length > 0
      ? phaseTests(test, 'answers', answers, answer, (trial, messages) =>
          trial.response(messages.map(({ parts }, index) => ({ index, parts, finishReason: null }))),
        )
      : []),
  ];
}

function phaseTests(
  test: MakeTest,
  what: string,
  samples: Samples,
  ofText: (trial: Trial) => (text: string) => Promise<Verdict>,
  ofMessages: (trial: Trial, messages: Message[]) => Promise<Verdict>,
): ConformanceTest[] {
  return [
    ...Object.entries(ODD_MESSAGES).map(([name, messages]) =>
      test(`handles ${what} with ${name}`, async (trial) => worked((await ofMessages(trial, messages)).run)),
    ),
    test(`is in time with ${what} of a long text`, async (trial) =>
      worked((await ofText(trial)(LONG_TEXT)).run)),
    test(`says the same of ${what} each time`, async (trial) => {
      for (const [text, expected] of [...samples, ...samples]) check(await ofText(trial)(text), expected);
    }),
    test(`keeps ${what} apart that come at once`, async (trial) => {
      const many = Array.from({ length: AT_ONCE }, () => samples).flat();
      const verdicts = await Promise.all(many.map(([text]) => ofText(trial)(text)));
      for (const [index, [, expected]] of many.entries()) check(verdicts[index]!, expected);
    }),
  ];
}

function check(verdict: Verdict, expected: Expected, how = ''): void {
  worked(verdict.run, how);
  const { outcome, code } = verdict;
  const text = expected.text === undefined ? {} : { text: verdict.text };
  const came = expected.outcome === 'rejected' ? { outcome, code } : { outcome, ...text };
  assert.deepEqual(came, expected, how === '' ? undefined : `${how}: ${JSON.stringify({ came, expected })}`);
}

/** Throws where the plugin threw, timed out or returned an invalid value. */
function worked({ outcome, reason }: Verdict['run'], how = ''): void {
  const failed = outcome === 'error' || outcome === 'timeout';
  assert.ok(!failed, `${how === '' ? '' : `${how}: `}it ended with ${outcome}: ${reason}`);
}

function named(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
