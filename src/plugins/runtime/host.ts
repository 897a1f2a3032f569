import type { Choice } from '../../core/answer.js';
import type { Clock } from '../../core/clock.js';
import type { ErrorDetail } from '../../core/errors.js';
import type { JsonObject } from '../../core/json.js';
import type { LogRecord } from '../../core/log-record.js';
import type { Message } from '../../core/message.js';
import type { Phase, PluginEntry } from '../../core/settings.js';
import type { Plugin } from '../contract/plugin.js';
import { mapTextsInSteps, textsInSteps } from '../helpers/texts-in-steps.js';
import { Caller } from './call/caller.js';
import { IsolatedCalls } from './call/isolated-calls.js';
import { showTo } from './prepare/frozen-copy.js';
import { phasesOf, streamModeOf } from './prepare/plugin-shape.js';
import { compilePlugins, prepareEntries } from './prepare/prepare-entries.js';
import type { HostContext, PreparedPlugin } from './prepare/prepared-plugin.js';
import { type LogPhaseOutcome, runLogAtOnce, runLogPhase } from './run/run-log.js';
import { type PhaseOutcome, runPhase } from './run/run-phase.js';
import { takeChoices, takeMessages } from './run/take-texts.js';
import { ShownContext } from './shown-context.js';
import { createStreamGuard, type StreamGuard } from './stream/stream-guard.js';
import { callOnWholeTexts } from './stream/window-on-whole.js';

/**
 * What an endpoint's response plugins need from a stream: nothing, windows of it, or the whole stream before any of
 * it is sent.
 */
export type StreamNeed = 'none' | 'window' | 'whole';

/**
 * Runs plugins. None of these functions fails because of a plugin: errors are recorded in the runs, or become a
 * rejection.
 */
export interface PluginHost {
  /**
   * Validates and prepares an endpoint's entries. Paths of mistakes are JSON pointers into the endpoint, such as
   * `/plugins/0/config/entities/1`.
   */
  prepare(entries: readonly PluginEntry[]): { plugins: PreparedPlugin[] } | { mistakes: ErrorDetail[] };
  runRequest(
    plugins: readonly PreparedPlugin[],
    context: HostContext,
    messages: Message[],
    requestBody: JsonObject,
  ): Promise<PhaseOutcome<Message[]>>;
  runResponse(
    plugins: readonly PreparedPlugin[],
    context: HostContext,
    choices: Choice[],
    messages: Message[],
    requestBody: JsonObject,
  ): Promise<PhaseOutcome<Choice[]>>;
  streamNeed(plugins: readonly PreparedPlugin[]): StreamNeed;
  /** Whether stand-ins of these plugins may have to be replaced in the client's answer. */
  mayRestore(plugins: readonly PreparedPlugin[]): boolean;
  /** Creates a guard for a stream whose need is `window`. */
  openStreamGuard(plugins: readonly PreparedPlugin[], context: HostContext): StreamGuard;
  runLog(
    plugins: readonly PreparedPlugin[],
    context: HostContext,
    record: LogRecord,
  ): Promise<LogPhaseOutcome>;
  /** The result of the LOG phase where all plugins know theirs already; undefined where one of them has to run. */
  runLogAtOnce(
    plugins: readonly PreparedPlugin[],
    context: HostContext,
    record: LogRecord,
  ): LogPhaseOutcome | undefined;
  list(): PluginDescription[];
  /** Terminates the threads of isolated plugins. Calls in them end as errors. */
  close(): Promise<void>;
}

export interface PluginDescription {
  name: string;
  description: string;
  phases: Phase[];
  configSchema: JsonObject;
}

export interface PluginHostOptions {
  plugins: readonly Plugin<unknown>[];
  clock: Clock;
}

/**
 * Throws an Error that names the plugin, where two plugins have the same name or a `configSchema` is not a JSON
 * Schema.
 */
export function createPluginHost({ plugins, clock }: PluginHostOptions): PluginHost {
  const known = compilePlugins(plugins);
  const isolated = new IsolatedCalls();
  const caller = new Caller(clock, isolated);
  const dueInResponse = (prepared: readonly PreparedPlugin[]) =>
    prepared.filter(({ phases }) => phases.includes('response'));

  return {
    prepare: (entries) => prepareEntries(entries, known),

    runRequest: async (prepared, context, messages, requestBody) => {
      const shown = new ShownContext(context);
      const show = showTo(prepared);
      const showing = show(requestBody);
      const body = await showing;
      return runPhase<Message[]>(prepared, messages, {
        phase: 'request',
        disconnected: () => shown.disconnected,
        standIns: shown.standIns,
        call: (plugin, content) =>
          caller.call(plugin, 'request', shown, { messages: content, requestBody: body }),
        take: takeMessages,
        texts: textsInSteps,
        map: mapTextsInSteps,
        show,
      });
    },

    runResponse: async (prepared, context, choices, messages, requestBody) => {
      const shown = new ShownContext(context);
      const show = showTo(prepared);
      const seesRequest = prepared.some(({ plugin }) => plugin.response !== undefined);
      const showing = seesRequest ? show({ messages, requestBody }) : {};
      const request = await showing;
      return runPhase<Choice[]>(prepared, choices, {
        phase: 'response',
        disconnected: () => shown.disconnected,
        standIns: shown.standIns,
        call: (plugin, content) =>
          plugin.plugin.response === undefined
            ? callOnWholeTexts(plugin, shown, content, caller)
            : caller.call(plugin, 'response', shown, { choices: content, ...request }),
        take: takeChoices,
        texts: textsInSteps,
        map: mapTextsInSteps,
        show,
      });
    },

    streamNeed: (prepared) => {
      const modes = dueInResponse(prepared).map(({ plugin, config }) => streamModeOf(plugin, config));
      if (modes.length === 0) return 'none';
      return modes.includes('whole') ? 'whole' : 'window';
    },

    mayRestore: (prepared) =>
      dueInResponse(prepared).some(({ plugin, config }) => plugin.restores?.(config) === true),

    openStreamGuard: (prepared, context) =>
      createStreamGuard(dueInResponse(prepared), new ShownContext(context), caller),

    runLog: (prepared, context, record) => runLogPhase(prepared, new ShownContext(context), record, caller),

    runLogAtOnce: (prepared, context, record) =>
      runLogAtOnce(prepared, new ShownContext(context), record, clock),

    list: () =>
      plugins.map((plugin) => ({
        name: plugin.name,
        description: plugin.description ?? '',
        phases: phasesOf(plugin),
        configSchema: plugin.configSchema,
      })),

    close: () => isolated.close(),
  };
}

export type { HostContext, PreparedPlugin } from './prepare/prepared-plugin.js';
export type { LogPhaseOutcome } from './run/run-log.js';
export type { PhaseOutcome } from './run/run-phase.js';
export { skippedRuns } from './run/skipped-runs.js';
export type { GuardStep, StreamGuard } from './stream/stream-guard.js';
