import { demoAnswer } from '../demo/conversations.js';
import { type Answer, countWords, type Prompt } from './prompt.js';
import { sampleOf } from './schema-sample.js';

/** This model answers in prose even where JSON was requested, so that you can see the fallback to the next model. */
const BREAKS_SCHEMAS = 'small';

/** The same question always gets the same answer. */
export function answerTo(prompt: Prompt): Answer {
  const text = textFor(prompt);
  return { text, inputTokens: prompt.inputTokens, outputTokens: countWords(text) };
}

function textFor({ model, lastUserText, schema, bold }: Prompt): string {
  if (schema === undefined) {
    const known = demoAnswer(lastUserText, bold);
    if (known !== undefined) return known;
    return `You said: "${lastUserText}". I am the mock model "${model}" and only repeat.`;
  }
  if (model === BREAKS_SCHEMAS) return `I am the mock model "${model}" and do not keep to schemas.`;
  return JSON.stringify(sampleOf(schema, lastUserText));
}

/** The answer split into the pieces of a stream: words with the space after them. */
export function piecesOf(text: string): string[] {
  return text.match(/\S+\s*|\s+/g) ?? [];
}
