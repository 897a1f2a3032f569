import { createHash } from 'node:crypto';
import type { Choice } from '../../core/answer.js';
import type { JsonObject } from '../../core/json.js';
import type { Message } from '../../core/message.js';
import type { MaybePromise } from '../../core/pacing/maybe-promise.js';
import { settle } from '../../core/pacing/maybe-promise.js';
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
import type { PlacedFound } from './found.js';
import { counting, late, look } from './look.js';
import type { PreparedGuard, Role } from './prepared-guard.js';
import { foundOverSeams, type Seam, seamsOf } from './seams.js';

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
        { passing: input.released > 0 || !input.final },
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
  const { clearParts } = input.config.engine;
  const learn = (found: readonly PlacedFound[]) => clearParts?.learn(holders, found);
  const lookAtAll = (texts: readonly PlacedText[], seams: readonly Seam[]) => {
    if (seams.length === 0) return look(input, texts, (found) => decide(found, texts), roleOf, { learn });
    const all = [...texts, ...seams];
    const decideOverSeams = (found: readonly PlacedFound[]) =>
      settle(found.length === 0 ? found : runSteps(foundOverSeams(found, seams)), (over) =>
        decide(over, texts),
      );
    return look(input, all, decideOverSeams, roleOf, { learn });
  };
  const unclear = clearParts?.withoutClear(holders) ?? holders;
  return settle(isPlain(unclear) ? plainTexts(unclear) : runSteps(readHolders(unclear)), lookAt);
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
