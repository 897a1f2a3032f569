import { createHash } from 'node:crypto';
import type { Choice } from '../../core/answer.js';
import type { JsonObject } from '../../core/json.js';
import type { Message } from '../../core/message.js';
import type { MaybePromise } from '../../core/pacing/maybe-promise.js';
import { recover, settle } from '../../core/pacing/maybe-promise.js';
import type { Steps } from '../../core/pacing/steps.js';
import { atOnce, inTurns, runSteps } from '../../core/pacing/steps.js';
import { keptConversation } from '../../dialects/kept-conversation.js';
import { recordTextsInSteps } from '../../dialects/stored-texts.js';
import type { Late, Plugin, PluginContext } from '../contract/plugin.js';
import { type PlacedText, textsIn } from '../helpers/texts.js';
import { mapTextsInSteps, textsInSteps } from '../helpers/texts-in-steps.js';
import type { StandInStyle } from '../stand-ins/choose-stand-ins.js';
import { type KnownStandIns, StandIns } from '../stand-ins/stand-ins.js';
import { decide, decideOnWindow, inAnswer, type Notes, notes, nothingFound, type Refusal } from './decide.js';
import { readFiles } from './files/read-files.js';
import { NotSeen, type PlacedFound, type ScanLimits } from './found.js';
import type { PreparedGuard, Role } from './prepared-guard.js';
import { foundOverSeams, type Seam, seamsOf } from './seams.js';
import { withoutStandIns } from './without-stand-ins.js';

/** Texts of at most this many messages or choices are read without steps. */
const FEW_HOLDERS = 50;
const NO_SEAMS: readonly Seam[] = [];

/**
 * The most steps, of a few hundred values each, that the end of an answer waits for the LOG phase. A request and an
 * answer of ordinary size take one step each.
 */
const MOST_LOG_STEPS = 3;

type GuardFunctions = Required<
  Pick<
    Plugin<PreparedGuard>,
    | 'keepsTime'
    | 'readsOnly'
    | 'streamFor'
    | 'restores'
    | 'request'
    | 'response'
    | 'responseWindow'
    | 'log'
    | 'logAtOnce'
  >
>;

/**
 * The functions of a plugin that finds something in texts and rejects, masks or records it. `defaultMessage` is the
 * default of `rejection_message`; it must begin with "Request".
 */
export function guardFunctions(code: string, defaultMessage: string): GuardFunctions {
  const ofRequest: Refusal = { code, say: (message) => message };
  const answerMessage = defaultMessage.replace(/^Request/, 'Answer');
  const ofAnswer: Refusal = {
    code,
    say: (message) => (message === defaultMessage ? answerMessage : message),
  };
  return {
    keepsTime: true,
    readsOnly: true,

    streamFor: ({ engine }) =>
      engine.streamWindow === undefined ? 'whole' : { window: engine.streamWindow },

    restores: ({ settings }) => typeof settings.mask === 'string',

    request: (input) => {
      const { messages } = input;
      const style = standInStyle(input.config);
      const known = input.standIns ?? new StandIns();
      return lookOver(
        input,
        messages,
        (found, texts) =>
          decide(input.config, found, ofRequest, texts, (changed) => replaceTexts(messages, changed), {
            style,
            known,
            series: seriesOf(input.requestBody),
          }),
        (place) => messages[Number(place.split('/')[1])]?.role,
        input.config.settings.read_files ? readFiles : undefined,
      );
    },

    response: (input) => {
      const { choices } = input;
      return lookOver(
        input,
        choices,
        (found, texts) =>
          decide(
            input.config,
            found,
            ofAnswer,
            texts,
            (changed) => replaceTexts(choices, changed),
            inAnswer(input.standIns),
          ),
        () => 'assistant',
      );
    },

    responseWindow: (input) =>
      look(
        input,
        [{ place: '', text: input.text }],
        (found) => decideOnWindow(input, found, ofAnswer),
        () => 'assistant',
        // A text that ends in its first window is scanned as a whole, and the LOG phase scans the same text again.
        input.released > 0 || !input.final,
      ),

    log: async (input) => {
      const texts = await inTurns(recordTextsInSteps(input.record));
      return look(input, texts, (found) => runSteps(notes(input.config, found)), nobody);
    },

    logAtOnce: ({ config, record, standIns, exchange }) => {
      const steps = recordTextsInSteps(record);
      let step = steps.next();
      for (let count = 1; !step.done && count < MOST_LOG_STEPS; count++) step = steps.next();
      // Longer logs are scanned after the answer, because the client would wait for it here.
      if (!step.done) return undefined;
      const texts = step.value;
      const found = config.engine.findAtOnce?.(texts, exchange);
      if (found === undefined) return undefined;
      return found.length === 0 ? nothingFound(config) : atOnce(logNotes(config, found, texts, standIns));
    },
  };
}

/** A log does not show who wrote a text. */
function nobody(): undefined {
  return undefined;
}

function* logNotes(
  config: PreparedGuard,
  found: readonly PlacedFound[],
  texts: readonly PlacedText[],
  standIns: KnownStandIns | undefined,
): Steps<Notes> {
  return yield* notes(config, yield* counting(config, found, texts, standIns, nobody));
}

/** The findings that count, after those that the guard drops. */
function* counting(
  guard: PreparedGuard,
  all: readonly PlacedFound[],
  texts: readonly PlacedText[],
  standIns: KnownStandIns | undefined,
  roleOf: (place: string) => Role | undefined,
): Steps<readonly PlacedFound[]> {
  const found = yield* withoutStandIns(all, texts, standIns);
  return guard.keep === undefined ? found : yield* guard.keep(found, roleOf);
}

/** The messages or choices with their changed texts. */
function* replaceTexts<Held extends Message | Choice>(
  holders: readonly Held[],
  changed: ReadonlyMap<string, string>,
): Steps<Held[]> {
  return yield* mapTextsInSteps(holders, (text, place) => changed.get(place) ?? text);
}

function standInStyle({ settings }: PreparedGuard): StandInStyle {
  return settings.mask === 'surrogate' ? 'surrogate' : 'reversible';
}

/**
 * The series of a request that continues a conversation which the provider keeps. That conversation has stand-ins
 * that this request does not contain; they must stay different.
 */
function seriesOf(request: JsonObject): string {
  const kept = keptConversation(request);
  if (kept === undefined) return '';
  return `${createHash('sha256').update(JSON.stringify(kept)).digest('hex').slice(0, 6).toUpperCase()}_`;
}

/** Scans all texts, and the seams between the parts of a message (see `seams.ts`). */
function lookOver<Answer>(
  input: PluginContext<PreparedGuard>,
  holders: readonly (Message | Choice)[],
  decide: (found: readonly PlacedFound[], texts: readonly PlacedText[]) => MaybePromise<Answer>,
  roleOf: (place: string) => Role | undefined,
  readMore?: (holders: readonly (Message | Choice)[]) => Promise<PlacedText[]> | undefined,
): MaybePromise<Answer | Late> {
  const lookAt = ({ texts, seams }: HeldTexts) => {
    const more = readMore?.(holders);
    return more === undefined
      ? lookAtAll(texts, seams)
      : more.then((read) => lookAtAll([...texts, ...read], seams)).catch(late);
  };
  const lookAtAll = (texts: readonly PlacedText[], seams: readonly Seam[]) => {
    if (seams.length === 0) return look(input, texts, (found) => decide(found, texts), roleOf);
    const all = [...texts, ...seams];
    const decideOverSeams = (found: readonly PlacedFound[]) =>
      settle(found.length === 0 ? found : runSteps(foundOverSeams(found, seams)), (over) =>
        decide(over, texts),
      );
    return look(input, all, decideOverSeams, roleOf);
  };
  return settle(isPlain(holders) ? plainTexts(holders) : runSteps(readHolders(holders)), lookAt);
}

interface HeldTexts {
  texts: readonly PlacedText[];
  seams: readonly Seam[];
}

/** Whether there are few messages of one part each, as in most requests and answers: they have no seams. */
function isPlain(holders: readonly (Message | Choice)[]): boolean {
  return (
    holders.length <= FEW_HOLDERS &&
    holders.every(({ parts }) => parts.length === 1 && parts[0]!.type !== 'tool-result')
  );
}

function plainTexts(holders: readonly (Message | Choice)[]): HeldTexts {
  return { texts: textsIn(holders), seams: NO_SEAMS };
}

function* readHolders(holders: readonly (Message | Choice)[]): Steps<HeldTexts> {
  return { texts: yield* textsInSteps(holders), seams: yield* seamsOf(holders) };
}

/** Scans all texts and decides. A scan that did not finish in time is returned as `late`. */
function look<Answer>(
  input: PluginContext<PreparedGuard>,
  texts: readonly PlacedText[],
  decide: (found: readonly PlacedFound[]) => MaybePromise<Answer>,
  roleOf: (place: string) => Role | undefined,
  passing = false,
): MaybePromise<Answer | Late> {
  const { config, standIns } = input;
  const judge = (all: readonly PlacedFound[]) =>
    all.length === 0 ? decide(all) : settle(runSteps(counting(config, all, texts, standIns, roleOf)), decide);
  return recover(() => settle(config.engine.find(texts, new Limits(input, passing)), judge), late);
}

/** The signal is only created for the few scans that wait. */
class Limits implements ScanLimits {
  readonly timeoutMs: number;
  readonly exchange: object | undefined;
  readonly #input: PluginContext<PreparedGuard>;

  constructor(
    input: PluginContext<PreparedGuard>,
    readonly passing: boolean,
  ) {
    this.timeoutMs = input.timeoutMs;
    this.exchange = input.exchange;
    this.#input = input;
  }

  get signal(): AbortSignal {
    return this.#input.signal;
  }
}

function late(thrown: unknown): Late {
  if (!(thrown instanceof NotSeen)) throw thrown;
  const { message, tooLarge } = thrown;
  return { action: 'late', reason: message, tooLarge };
}
