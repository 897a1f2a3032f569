import { App } from '../app/app.js';
import {
  type AnswerMessage,
  BEAT,
  type CallMessage,
  STOP,
  type WorkerCalls,
} from '../app/workers/channel.js';
import type { WorkerPlace } from '../app/workers/place.js';
import { type ConfigTexts, resolveConfig } from '../config/read.js';
import { expectRequests } from '../process/memory.js';
import { BEAT_MS } from '../process/pulse.js';
import { type Configuration, readConfiguration } from './configuration.js';
import { createLogger } from './create-logger.js';
import { keepServing } from './keep-serving.js';
import { untilSignal } from './serve.js';

export interface WorkerOptions extends WorkerPlace {
  config?: string;
}

/**
 * Runs one of several workers. It follows the main process, and drains when it is told to or when the main process is gone.
 */
export async function worker({ config: file, ...place }: WorkerOptions): Promise<number> {
  if (process.send === undefined) {
    console.error('A worker is started by `sluice serve`.');
    return 1;
  }
  const serving = new Worker(file, place);
  const beats = setInterval(() => {
    if (process.connected) process.send?.(BEAT, undefined, undefined, () => undefined);
  }, BEAT_MS);
  const stopped = new Promise<number>((resolve) => {
    process.on('message', (message) => {
      if (message === STOP) resolve(0);
      else serving.take(message as CallMessage, () => resolve(1));
    });
    process.on('disconnect', () => resolve(0));
    void untilSignal().then(() => resolve(0));
  });
  const code = await stopped;
  await serving.stop();
  clearInterval(beats);
  if (process.connected) process.disconnect();
  return code;
}

/** The calls that change something. They run one after the other. */
const IN_TURN = new Set<CallMessage['method']>(['start', 'replaceConfig']);

class Worker implements WorkerCalls {
  #app?: App;
  #configuration?: Configuration;
  #letFail?: () => void;
  /** The last call that changes something; the next one waits for it. */
  #work: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly file: string | undefined,
    private readonly place: WorkerPlace,
  ) {}

  /** `unusable` is called where the worker cannot start, after it has told the main process why. */
  take({ call, method, argument }: CallMessage, unusable: () => void): void {
    const answer = (rest: Omit<AnswerMessage, 'call'>) => process.send?.({ call, ...rest });
    const work = async () => (await this[method](argument as never)) ?? undefined;
    const done = IN_TURN.has(method) ? this.#inTurn(work) : work();
    done.then(
      (value) => answer({ value }),
      (error) => {
        answer({ failure: (error as Error).message });
        if (method === 'start') unusable();
      },
    );
  }

  async start(texts: ConfigTexts): Promise<void> {
    this.#configuration = await readConfiguration({ file: this.file, texts });
    if (this.#configuration === undefined) throw new Error('the configuration could not be applied');
    const { config, environment, options, plugins } = this.#configuration;
    const logger = (await createLogger(environment.logLevel)).child({ worker: this.place.number });
    this.#app = await App.start({
      role: 'engine',
      config,
      source: { file: options.file, texts },
      environment,
      env: process.env,
      plugins: plugins(),
      logger,
      worker: this.place,
    });
    this.#letFail = keepServing(logger);
    expectRequests();
  }

  async replaceConfig(texts: ConfigTexts): Promise<void> {
    const { options, plugins } = this.#configuration!;
    const result = await resolveConfig(texts, options);
    // The main process found no mistakes, but a plugin module may behave differently here.
    if (!('config' in result)) throw new Error(result.mistakes.map(({ message }) => message).join('; '));
    await this.#app!.replaceConfig(result.config, plugins(), texts);
  }

  async metricsText(exemplars: boolean): Promise<string> {
    return (await this.#app?.metricsText(exemplars)) ?? '';
  }

  async shipLogsNow(): Promise<void> {
    this.#app?.shipLogsNow();
  }

  /** Resolves once no request is in flight and every log is on disk. */
  async stop(): Promise<void> {
    await this.#inTurn(async () => {
      try {
        await this.#app?.stop();
      } finally {
        this.#letFail?.();
      }
    });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#work.then(work, work);
    this.#work = done.catch(() => undefined);
    return done;
  }
}
