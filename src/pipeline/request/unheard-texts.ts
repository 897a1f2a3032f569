import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.js';
import { findTexts } from '../../dialects/helpers/find-texts.js';
import { type Path, stepsOf } from '../../dialects/wire/splice.js';

/*
 * Texts of frames that say nothing in neutral form: what tools of the provider were asked and found, citations,
 * transcripts. No event tells of them, but a client reads them, and so a guard has to. The probabilities of tokens
 * are left out: they only repeat a text letter by letter.
 */

/** Members of a frame that hold what a model or its tools wrote. The rest is about the frame and the request. */
const CONTENT = [
  'annotation',
  'arguments',
  'choices',
  'code',
  'content_block',
  'delta',
  'input',
  'item',
  'part',
  'text',
  'transcript',
];

/** Members that hold the answer whole, and the member of it that is content. The rest of it repeats the request. */
const ANSWERS = [
  ['response', 'output'],
  ['message', 'content'],
] as const;

export interface UnheardText {
  path: Path;
  text: string;
  /** Where it is one piece of a text that grows: a name for that text. */
  run?: string;
}

export function unheardTexts(value: JsonObject): UnheardText[] {
  const ofAnswers = ANSWERS.flatMap(([key, member]) => {
    const answer = Object.hasOwn(value, key) ? value[key] : undefined;
    const content = isJsonObject(answer) && Object.hasOwn(answer, member) ? answer[member] : undefined;
    return content === undefined ? [] : findTexts(content, [key, member]);
  });
  return CONTENT.filter((key) => Object.hasOwn(value, key))
    .flatMap((key) => findTexts(value[key] as JsonValue, [key]))
    .concat(ofAnswers)
    .map(({ text, path }) => ({ text, path: stepsOf(path) }))
    .filter(({ path }) => !path.includes('logprobs'))
    .map(({ text, path }) => ({ text, path, run: runOf(value, path) }));
}

/** Deltas of one kind, at one place of the answer, are one text. */
function runOf(frame: JsonObject, path: Path): string | undefined {
  if (!path.includes('delta')) return undefined;
  const { type, index, item_id, output_index, content_index } = frame;
  return JSON.stringify([type, index, item_id, output_index, content_index, path]);
}
