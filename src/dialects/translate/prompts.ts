import type { NeutralRequest } from '../../core/answer.js';
import type { Message, OutputSchema, Part } from '../../core/message.js';
import type { Correction, RenderTarget } from '../dialect.js';

/*
 * The gateway's own prompts, the same for every dialect.
 */

/** Tells a model without structured output which form its answer must have. */
export function schemaPrompt(output: OutputSchema): string {
  const about = output.description === undefined ? '' : `It is: ${output.description}\n`;
  return `Answer with one JSON value and nothing else: no explanation and no code fence.\n${about}It must satisfy this JSON Schema:\n${JSON.stringify(output.schema)}`;
}

/** Asks for JSON where a dialect has no setting for it. */
export const JSON_PROMPT = 'Answer with one JSON object and nothing else: no explanation and no code fence.';

/** The user's message in a request that has only a system prompt, which some APIs refuse. */
export const NOTHING_SAID = 'Begin.';

/** Tells a model why its previous answer was not valid. */
function correctionPrompt(problem: string): string {
  return `Your last answer was not valid: ${problem}\nGive the whole answer again, corrected, in the required format and nothing else.`;
}

/** The messages of a request with the prompts that an attempt adds. */
export function withOurWords(
  request: NeutralRequest,
  target: RenderTarget,
  more: readonly string[] = [],
): Message[] {
  const prompt = target.outputSchema === 'prompt' && request.outputSchema !== undefined;
  const prompts = prompt ? [schemaPrompt(request.outputSchema!), ...more] : more;
  const messages = withSystemText(request.messages, prompts);
  return [...messages, ...correctionTurns(target.correction)];
}

/**
 * The turns that tell a model what was wrong with its answer; none without a correction. A tool call gets the problem
 * as its result, as APIs expect. An empty answer is left out, because some APIs refuse it.
 */
export function correctionTurns(correction: Correction | undefined): Message[] {
  if (correction === undefined) return [];
  const { problem, call } = correction;
  const answer = correction.answer.trimEnd();
  const explanation = { type: 'text' as const, text: correctionPrompt(problem) };
  if (call === undefined) {
    const said: Message[] = [{ role: 'assistant', parts: [{ type: 'text', text: answer }] }];
    return [...(answer === '' ? [] : said), { role: 'user', parts: [explanation] }];
  }
  const id = call.id || 'call_1';
  const made: Part = { type: 'tool-call', id, name: call.name, arguments: answer || '{}' };
  return [
    { role: 'assistant', parts: [made] },
    { role: 'tool', parts: [{ type: 'tool-result', callId: id, parts: [explanation], isError: true }] },
  ];
}

/** Some models accept only one system message, so prompts are appended to it. */
function withSystemText(messages: readonly Message[], texts: readonly string[]): Message[] {
  if (texts.length === 0) return [...messages];
  const parts = texts.map((text) => ({ type: 'text' as const, text }));
  const [first, ...rest] = messages;
  if (first !== undefined && (first.role === 'system' || first.role === 'developer')) {
    return [{ ...first, parts: [...first.parts, ...parts] }, ...rest];
  }
  return [{ role: 'system', parts }, ...messages];
}
