import type { Choice } from '../../core/answer.js';
import type { JsonObject, JsonValue } from '../../core/json.js';
import type { PluginFinding } from '../../core/log-record.js';
import type { Message } from '../../core/message.js';
import { recordTexts } from '../../dialects/stored-texts.js';
import { joinOverlaps, maskChoices, maskMessages } from '../helpers/mask.js';
import { choiceTexts, messageTexts, type PlacedText } from '../helpers/texts.js';
import type { Late, Plugin, PluginContext, Result, WindowInput, WindowResult } from '../plugin.js';
import { NotSeen, type PlacedFound, type TextEngine } from './found.js';
import { runStart } from './run-start.js';
import { foundOverSeams, seamsOf } from './seams.js';

/** What all guards of texts share: what becomes of a finding. */
export interface GuardSettings {
  reject_on_detection: boolean;
  rejection_message: string;
  mask: boolean;
}

/** A guard's configuration, made ready. */
export interface PreparedGuard {
  settings: GuardSettings;
  engine: TextEngine;
  /** Which findings count, where that depends on who said them. `roleOf` gives nothing where nobody knows. */
  keep?(found: readonly PlacedFound[], roleOf: (place: string) => Role | undefined): PlacedFound[];
  /** What a client reads where this finding rejects, if not `rejection_message`. */
  messageFor?(found: PlacedFound): string | undefined;
  /** What `debug` says of each run, and of its findings. */
  debug(found: readonly PlacedFound[]): JsonObject;
}

type Role = Message['role'];

type GuardFunctions = Required<
  Pick<Plugin<PreparedGuard>, 'keepsTime' | 'streamFor' | 'request' | 'response' | 'responseWindow' | 'log'>
>;

/** What a rejection says, in its code and to the client. */
interface Refusal {
  code: string;
  /** What the client reads, given what the configuration says. */
  say(message: string): string;
}

/**
 * The functions of a plugin that finds something in texts and rejects, masks or notes it. `defaultMessage` is the
 * default of `rejection_message`; it speaks of a request.
 */
export function guardFunctions(code: string, defaultMessage: string): GuardFunctions {
  const ofRequest: Refusal = { code, say: (message) => message };
  const answerMessage = defaultMessage.replace(/^Request/, 'Answer');
  const ofAnswer: Refusal = {
    code,
    say: (message) => (message === defaultMessage ? answerMessage : message),
  };
  const decide = <Content>(
    guard: PreparedGuard,
    found: readonly PlacedFound[],
    refusal: Refusal,
    mask: (findings: PluginFinding[]) => Content,
  ): Result<Content> => {
    const said = notes(guard, found);
    if (found.length === 0) return { action: 'pass', ...said };
    if (guard.settings.reject_on_detection) {
      return { action: 'reject', ...rejection(guard, found[0]!, refusal), ...said };
    }
    return guard.settings.mask
      ? { action: 'modify', content: mask(said.findings), ...said }
      : { action: 'pass', ...said };
  };

  return {
    keepsTime: true,

    streamFor: ({ engine }) =>
      engine.streamWindow === undefined ? 'whole' : { window: engine.streamWindow },

    request: (input) =>
      lookOver(
        input,
        messageTexts(input.messages),
        input.messages,
        (found) =>
          decide(input.config, found, ofRequest, (findings) => maskMessages(input.messages, findings)),
        (place) => input.messages[Number(place.split('/')[1])]?.role,
      ),

    response: (input) =>
      lookOver(
        input,
        choiceTexts(input.choices),
        input.choices,
        (found) => decide(input.config, found, ofAnswer, (findings) => maskChoices(input.choices, findings)),
        () => 'assistant',
      ),

    responseWindow: (input) =>
      look(
        input,
        [{ place: '', text: input.text }],
        (found) => decideOnWindow(input, found, ofAnswer),
        () => 'assistant',
        true,
      ),

    log: (input) =>
      look(
        input,
        recordTexts(input.record),
        (found) => notes(input.config, found),
        () => undefined,
      ),
  };
}

/** Looks at all texts, and over the seams of the parts that they stand in. */
function lookOver<Answer>(
  input: PluginContext<PreparedGuard>,
  texts: readonly PlacedText[],
  holders: readonly (Message | Choice)[],
  decide: (found: readonly PlacedFound[]) => Answer,
  roleOf: (place: string) => Role | undefined,
): Answer | Late | Promise<Answer | Late> {
  const seams = seamsOf(holders);
  if (seams.length === 0) return look(input, texts, decide, roleOf);
  return look(input, [...texts, ...seams], (found) => decide(foundOverSeams(found, seams)), roleOf);
}

/** Looks at all texts. What could not be seen to its end is said to be late. */
function look<Answer>(
  { config, timeoutMs, signal }: PluginContext<PreparedGuard>,
  texts: readonly PlacedText[],
  decide: (found: readonly PlacedFound[]) => Answer,
  roleOf: (place: string) => Role | undefined,
  passing = false,
): Answer | Late | Promise<Answer | Late> {
  const judge = (found: readonly PlacedFound[]) => decide(config.keep?.(found, roleOf) ?? found);
  try {
    const found = config.engine.find(texts, { timeoutMs, signal, passing });
    return found instanceof Promise ? found.then(judge).catch(late) : judge(found);
  } catch (thrown) {
    return late(thrown);
  }
}

function late(thrown: unknown): Late {
  if (!(thrown instanceof NotSeen)) throw thrown;
  const { message, tooLarge } = thrown;
  return { action: 'late', reason: message, tooLarge };
}

/** What starts where the text is not settled comes again with more of it, and may then turn out to be something else. */
function decideOnWindow(
  { config: guard, text, released, settled, final }: WindowInput<PreparedGuard>,
  found: readonly PlacedFound[],
  refusal: Refusal,
): WindowResult {
  const { settings, engine } = guard;
  const keepFrom = final ? settled : runStart(text, settled, engine.longestRun);
  const certain = found.filter((finding) => finding.start < keepFrom && finding.end > released);
  const said = notes(guard, certain);
  if (settings.reject_on_detection && certain.length > 0)
    return { action: 'reject', ...rejection(guard, certain[0]!, refusal), ...said };
  if (!settings.mask) return { action: 'pass', keepFrom, ...said };
  const spans = joinOverlaps(found).map(({ start, end, type }) => ({ start, end, replacement: `<${type}>` }));
  return { action: 'replace', spans, keepFrom, ...said };
}

function rejection(
  { settings, messageFor }: PreparedGuard,
  found: PlacedFound,
  { code, say }: Refusal,
): { message: string; code: string; status: number } {
  return { message: messageFor?.(found) ?? say(settings.rejection_message), code, status: 400 };
}

function notes(
  guard: PreparedGuard,
  found: readonly PlacedFound[],
): { findings: PluginFinding[]; debug?: JsonValue } {
  const findings = found.map(({ type, place, start, end, score }) => ({ type, place, start, end, score }));
  const debug = guard.debug(found);
  return Object.keys(debug).length === 0 ? { findings } : { findings, debug };
}
