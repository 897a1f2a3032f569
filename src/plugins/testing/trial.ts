import type { Choice } from '../../core/answer.js';
import { systemClock } from '../../core/clock.js';
import type { LogRecord, PluginRun } from '../../core/log-record.js';
import type { JsonObject, Message, Phase, Plugin } from '../contract/plugin.js';
import { choiceTexts, messageTexts } from '../helpers/texts.js';
import { createPluginHost, type HostContext, type PreparedPlugin } from '../runtime/host.js';
import { asked } from './samples.js';

/** What happened to one text. */
export interface Verdict {
  outcome: PluginRun['outcome'];
  text?: string;
  code?: string;
  run: PluginRun;
}

/** One plugin with one configuration, in the engine's host. */
export class Trial {
  readonly #host;
  readonly prepared: readonly PreparedPlugin[];

  /** Throws where the configuration is not valid, and says why. */
  constructor(plugin: Plugin<unknown>, config: JsonObject, timeoutMs: number) {
    // The input is always frozen in tests, so that a modification is noticed even where the plugin says `readsOnly`.
    const shown: Plugin<unknown> = Object.create(plugin, { readsOnly: { value: undefined } });
    this.#host = createPluginHost({ plugins: [shown], clock: systemClock });
    const result = this.#host.prepare([
      {
        plugin: plugin.name,
        phases: [],
        config,
        timeout_ms: timeoutMs,
        on_error: 'reject',
        isolate: false,
        mode: 'enforce',
        sample: 1,
      },
    ]);
    if ('mistakes' in result) {
      throw new Error(result.mistakes.map(({ path, message }) => `${path}: ${message}`).join('\n'));
    }
    this.prepared = result.plugins;
  }

  get phases(): readonly Phase[] {
    return this.prepared.flatMap(({ phases }) => phases);
  }

  get guardsInWindows(): boolean {
    return this.#host.streamNeed(this.prepared) === 'window';
  }

  async request(messages: Message[]): Promise<Verdict> {
    const outcome = await this.#host.runRequest(this.prepared, contextOf(), messages, { model: 'support' });
    return verdictOf(outcome, messageTexts(outcome.content).at(-1)?.text);
  }

  async response(choices: Choice[]): Promise<Verdict> {
    const outcome = await this.#host.runResponse(this.prepared, contextOf(), choices, asked('Hello.'), {});
    return verdictOf(outcome, choiceTexts(outcome.content).at(-1)?.text);
  }

  /** Runs the plugin on the text as a stream of these pieces. */
  async stream(pieces: readonly string[]): Promise<Verdict> {
    const guard = this.#host.openStreamGuard(this.prepared, contextOf());
    const channel = { kind: 'text', choice: 0, part: 0 } as const;
    let text = '';
    const steps = [...pieces.map((piece) => () => guard.push(channel, piece)), () => guard.flush(channel)];
    for (const next of steps) {
      const step = await next();
      if ('rejection' in step) {
        const run = guard.finish().runs[0]!;
        return { outcome: run.outcome, code: step.rejection.clientCode, text, run };
      }
      text += step.pieces.map((piece) => piece.text).join('');
    }
    const run = guard.finish().runs[0]!;
    return { outcome: run.outcome, text, run };
  }

  async log(record: LogRecord): Promise<{ run: PluginRun; addTags: string[] }> {
    const { runs, addTags } = await this.#host.runLog(this.prepared, contextOf(), record);
    return { run: runs[0]!, addTags };
  }

  close(): Promise<void> {
    return this.#host.close();
  }
}

function contextOf(): HostContext {
  const { signal } = new AbortController();
  const requestId = '0197fd0e-0000-7000-8000-000000000001';
  return { requestId, endpoint: 'support', metadata: { task: 'test' }, headers: {}, signal };
}

function verdictOf(
  { runs, rejection }: { runs: PluginRun[]; rejection?: { clientCode: string } },
  text: string | undefined,
): Verdict {
  const run = runs[0]!;
  return { outcome: run.outcome, text, code: rejection?.clientCode, run };
}
