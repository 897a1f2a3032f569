import type { NeutralRequest } from '../../core/answer.js';
import type { Message, OutputSchema } from '../../core/message.js';
import type { RenderTarget } from '../dialect.js';

/*
 * What the gateway itself says to a model. Every dialect says the same.
 */

/** Tells a model without native structured output what its answer must look like. */
export function schemaPrompt(output: OutputSchema): string {
  const about = output.description === undefined ? '' : `It is: ${output.description}\n`;
  return `Answer with one JSON value and nothing else: no explanation and no code fence.\n${about}It must satisfy this JSON Schema:\n${JSON.stringify(output.schema)}`;
}

/** Asks for JSON where a dialect has no switch for it. */
export const JSON_PROMPT = 'Answer with one JSON object and nothing else: no explanation and no code fence.';

/** Tells a model why its answer before was not valid. */
export function correctionPrompt(problem: string): string {
  return `Your last answer was not valid: ${problem}\nGive the whole answer again, corrected, in the required format and nothing else.`;
}

/** The messages of a request with what an attempt has to say itself. */
export function withOurWords(
  request: NeutralRequest,
  target: RenderTarget,
  more: readonly string[] = [],
): Message[] {
  const prompt = target.outputSchema === 'prompt' && request.outputSchema !== undefined;
  const prompts = prompt ? [schemaPrompt(request.outputSchema!), ...more] : more;
  const messages = withSystemText(request.messages, prompts);
  if (target.correction === undefined) return messages;
  const { answer, problem } = target.correction;
  return [
    ...messages,
    { role: 'assistant', parts: [{ type: 'text', text: answer }] },
    { role: 'user', parts: [{ type: 'text', text: correctionPrompt(problem) }] },
  ];
}

/** Some models take one system message only, so texts go to the end of the one that is there. */
function withSystemText(messages: readonly Message[], texts: readonly string[]): Message[] {
  if (texts.length === 0) return [...messages];
  const parts = texts.map((text) => ({ type: 'text' as const, text }));
  const [first, ...rest] = messages;
  if (first !== undefined && (first.role === 'system' || first.role === 'developer')) {
    return [{ ...first, parts: [...first.parts, ...parts] }, ...rest];
  }
  return [{ role: 'system', parts }, ...messages];
}
