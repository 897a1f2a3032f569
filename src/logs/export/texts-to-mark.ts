import { isJsonObject, type JsonObject } from '../../core/json.js';
import type { LogRecord } from '../../core/log-record.js';
import type { Message, Part } from '../../core/message.js';
import { runSteps, type Steps } from '../../core/pacing/steps.js';
import { mapPartTexts } from '../../core/texts/part-texts.js';
import { dialectById } from '../../dialects/index.js';

/** A text of a log in which people mark personal data. */
export interface TextToMark {
  phase: 'request' | 'response';
  /** A JSON pointer into the messages or the choices, as findings of plugins have it. */
  place: string;
  role: Message['role'];
  text: string;
}

export interface TextsToMark {
  texts: TextToMark[];
  /** Whether the end of a long text, or further texts, are left out. */
  cut: boolean;
}

/** Nobody reads more than this for one log. */
const MOST_TEXTS = 100;
const MOST_TEXT_UNITS = 20_000;
const MOST_UNITS = 100_000;

/**
 * The texts that are new in an exchange: what was asked since the model's last answer, and the answer. System prompts and
 * earlier turns are in many logs, and would count many times. The same log always gives the same texts, because the
 * offsets of marks refer to them.
 */
export async function textsToMark(
  log: Pick<LogRecord, 'api' | 'request' | 'response'>,
): Promise<TextsToMark> {
  const texts = [...(await requestTexts(log)), ...(await answerTexts(log))].filter(({ text }) => text !== '');
  let left = MOST_UNITS;
  const kept = texts.slice(0, MOST_TEXTS).flatMap((one) => {
    const text = beginningOf(one.text, Math.min(left, MOST_TEXT_UNITS));
    left -= text.length;
    return text === '' ? [] : [{ ...one, text }];
  });
  const isWhole = texts.every(({ text }, index) => kept[index]?.text.length === text.length);
  return { texts: kept, cut: !isWhole };
}

async function requestTexts({ api, request }: Pick<LogRecord, 'api' | 'request'>): Promise<TextToMark[]> {
  if (!isJsonObject(request)) return [];
  const document = { text: JSON.stringify(request), value: request };
  const messages = (await read(() => dialectById(api).readMessages(document))) ?? [];
  const asked = messages.findLastIndex(({ role }) => role === 'user' || role === 'tool');
  const answered = messages.slice(0, asked + 1).findLastIndex(({ role }) => role === 'assistant');
  return messages.flatMap(({ role, parts }, index) =>
    index <= answered || role === 'system' || role === 'developer'
      ? []
      : textsOf(parts, { phase: 'request', role, place: `/${index}/parts` }),
  );
}

async function answerTexts({ api, response }: Pick<LogRecord, 'api' | 'response'>): Promise<TextToMark[]> {
  const body = response as JsonObject | null;
  const answer = isJsonObject(body) ? await read(() => dialectById(api).readAnswer(body)) : undefined;
  return (answer?.choices ?? []).flatMap(({ parts }, index) =>
    textsOf(parts, { phase: 'response', role: 'assistant', place: `/${index}/parts` }),
  );
}

/** Undefined for a body that its dialect cannot read, such as that of a refused request. */
async function read<Result>(steps: () => Steps<Result>): Promise<Result | undefined> {
  try {
    return await runSteps(steps());
  } catch {
    return undefined;
  }
}

function textsOf(parts: readonly Part[], where: Omit<TextToMark, 'text'>): TextToMark[] {
  const found: TextToMark[] = [];
  const collect = (text: string, place: string) => {
    found.push({ ...where, place, text });
    return text;
  };
  for (const [index, part] of parts.entries()) mapPartTexts(part, collect, `${where.place}/${index}`);
  return found;
}

/** At most this many UTF-16 units. No character is cut in two. */
function beginningOf(text: string, units: number): string {
  if (text.length <= units) return text;
  const splits = units > 0 && (text.codePointAt(units - 1) ?? 0) > 0xffff;
  return text.slice(0, splits ? units - 1 : units);
}
