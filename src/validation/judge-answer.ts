import type { Answer, Choice } from '../core/answer.js';
import type { Part } from '../core/message.js';
import { unwrapFence } from './fence.js';
import type { CheckResult, Judgement, PreparedSchema } from './validation.js';

export interface JudgeOptions {
  /** Take JSON out of a Markdown fence that is the whole output. */
  unwrapFences: boolean;
}

type Verdict = { choice: Choice } | Exclude<CheckResult, { valid: true }>;

/**
 * Judges an answer against the request's schema. All choices must be valid; with more than one, a failure's
 * path starts with `/choices/N`. docs/validation.md has the table of what each kind of answer means.
 */
export async function judgeAnswer(
  answer: Answer,
  schema: PreparedSchema,
  options: JudgeOptions,
): Promise<Judgement> {
  if (answer.choices.length === 0) return invalid('the output is empty; JSON was expected');
  const choices: Choice[] = [];
  for (const [at, choice] of answer.choices.entries()) {
    const verdict = await judgeChoice(choice, schema, options);
    if (!('choice' in verdict)) {
      const prefix = answer.choices.length > 1 ? `/choices/${at}` : '';
      return { ...verdict, path: prefix + verdict.path };
    }
    choices.push(verdict.choice);
  }
  const unchanged = choices.every((choice, at) => choice === answer.choices[at]);
  return unchanged ? { valid: true } : { valid: true, answer: { ...answer, choices } };
}

async function judgeChoice(choice: Choice, schema: PreparedSchema, options: JudgeOptions): Promise<Verdict> {
  if (isWithheld(choice)) return { choice };
  if (choice.finishReason === 'length')
    return invalid('the output was cut by the token limit before it was complete');
  const text = outputText(choice);
  if (text.trim() === '' && choice.parts.some((part) => part.type === 'tool-call')) return { choice };
  const bare = options.unwrapFences ? unwrapFence(text) : undefined;
  const result = await schema.check(bare ?? text);
  if (!result.valid) return result;
  return { choice: bare === undefined ? choice : withText(choice, bare) };
}

/**
 * A refusal, a filtered answer and a turn that pauses are ends that the API foresees and that the client is
 * told of by its own means. None of them claims to be the output, so none is checked.
 */
function isWithheld(choice: Choice): boolean {
  const { finishReason } = choice;
  if (finishReason === 'refusal' || finishReason === 'content-filter' || finishReason === 'pause')
    return true;
  return choice.parts.some((part) => part.type === 'refusal' && part.text !== '');
}

/** What a client takes for the output: all texts of a choice in their order. Reasoning is not part of it. */
function outputText(choice: Choice): string {
  return choice.parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

/** The output in the place of the first text; the others become empty, so that the parts stay as many. */
function withText(choice: Choice, output: string): Choice {
  let rest = output;
  const parts = choice.parts.map((part): Part => {
    if (part.type !== 'text') return part;
    const text = rest;
    rest = '';
    return { ...part, text };
  });
  return { ...choice, parts };
}

function invalid(message: string): Exclude<CheckResult, { valid: true }> {
  return { valid: false, path: '', message };
}
