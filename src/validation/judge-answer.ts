import { type Answer, type Choice, withChoices } from '../core/answer.js';
import type { Part } from '../core/message.js';
import { clip } from './describe-errors.js';
import { unwrapFence } from './fence.js';
import type { OutputContract } from './output-contract.js';
import type { Failure, Judgement, PreparedSchema } from './validation.js';

export interface JudgeOptions {
  /** Whether JSON is taken out of a Markdown fence that is the whole output. */
  unwrapFences: boolean;
  /** An output, or the arguments of a call, in the form that the client will see, where it differs from the model's text. */
  asSeen?(text: string, kind: 'text' | 'tool-arguments'): string;
}

type ToolCall = Extract<Part, { type: 'tool-call' }>;
type Invalid = { valid: false } & Failure;
type Verdict = { choice: Choice } | Invalid;

/** The most characters of names in a message. Clients and models choose these names. */
const MAX_NAMES_LENGTH = 200;

/**
 * Validates an answer against the request. All choices must be valid; with more than one, a failure's path starts
 * with `/choices/N`. docs/validation.md has a table of what each kind of answer means.
 */
export async function judgeAnswer(
  answer: Answer,
  contract: OutputContract,
  options: JudgeOptions,
): Promise<Judgement> {
  if (answer.choices.length === 0 && wantsOutput(contract))
    return invalid('the output is empty; JSON was expected', '');
  const choices: Choice[] = [];
  for (const [at, choice] of answer.choices.entries()) {
    const verdict = await judgeChoice(choice, contract, options);
    if (!('choice' in verdict)) {
      const prefix = answer.choices.length > 1 ? `/choices/${at}` : '';
      return { ...verdict, path: prefix + verdict.path };
    }
    choices.push(verdict.choice);
  }
  const unchanged = choices.every((choice, at) => choice === answer.choices[at]);
  return unchanged ? { valid: true } : { valid: true, answer: withChoices(answer, choices) };
}

async function judgeChoice(
  choice: Choice,
  contract: OutputContract,
  options: JudgeOptions,
): Promise<Verdict> {
  if (isWithheld(choice)) return { choice };
  const text = outputText(choice);
  const calls = choice.parts.filter((part) => part.type === 'tool-call');
  const isChecked = wantsOutput(contract) || calls.some(({ name }) => contract.tools.has(name));
  if (choice.finishReason === 'length' && isChecked) {
    return invalid('the output was cut by the token limit before it was complete', text);
  }
  const failure = await judgeCalls(calls, contract, options);
  if (failure !== undefined) return failure;
  const { output, mustCall } = contract;
  if (output !== undefined && (text.trim() !== '' || calls.length === 0)) {
    return judgeText(choice, text, output, options);
  }
  if (mustCall.length === 0 || calls.some(({ name }) => mustCall.includes(name))) return { choice };
  const names = mustCall.map((name) => JSON.stringify(name)).join(' or ');
  return invalid(clip(`the answer has no call of ${names}`, MAX_NAMES_LENGTH), text);
}

/** Whether an empty answer is invalid. */
function wantsOutput({ output, mustCall }: OutputContract): boolean {
  return output !== undefined || mustCall.length > 0;
}

async function judgeText(
  choice: Choice,
  text: string,
  output: PreparedSchema,
  { unwrapFences, asSeen }: JudgeOptions,
): Promise<Verdict> {
  const bare = unwrapFences ? unwrapFence(text) : undefined;
  const said = bare ?? text;
  const result = await output.check(asSeen?.(said, 'text') ?? said);
  if (!result.valid) return { output: text, ...result };
  return { choice: bare === undefined ? choice : withText(choice, bare) };
}

/** The failure of the first call with invalid arguments. With several calls, its path starts with `/tool_calls/N`. */
async function judgeCalls(
  calls: readonly ToolCall[],
  { tools }: OutputContract,
  { asSeen }: JudgeOptions,
): Promise<Invalid | undefined> {
  for (const [at, call] of calls.entries()) {
    const schema = tools.get(call.name);
    if (schema === undefined) continue;
    // Models, and APIs, leave empty arguments out.
    const text = call.arguments.trim() === '' ? '{}' : call.arguments;
    const result = await schema.check(asSeen?.(text, 'tool-arguments') ?? text);
    if (!result.valid) return ofCall(result, call, calls.length > 1 ? `/tool_calls/${at}` : '');
  }
  return undefined;
}

function ofCall({ path, message, nameless }: Failure, call: ToolCall, prefix: string): Invalid {
  const where = `in the arguments of ${JSON.stringify(clip(call.name, MAX_NAMES_LENGTH))}: `;
  return {
    valid: false,
    path: prefix + path,
    message: where + message,
    nameless: nameless === undefined ? undefined : where + nameless,
    output: call.arguments,
    call: { id: call.id, name: call.name },
  };
}

/**
 * Whether a choice ended without an output: a refusal, a filtered answer or a pause. The API reports these to the client as
 * regular ends, so they are not validated.
 */
function isWithheld(choice: Choice): boolean {
  const { finishReason } = choice;
  if (finishReason === 'refusal' || finishReason === 'content-filter' || finishReason === 'pause')
    return true;
  return choice.parts.some((part) => part.type === 'refusal' && part.text !== '');
}

/** The output in the form in which a client reads it: all texts of a choice in order, without reasoning. */
function outputText(choice: Choice): string {
  return choice.parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

/** Puts the output in the place of the first text. Other texts become empty, so that the number of parts does not change. */
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

function invalid(message: string, output: string): Invalid {
  return { valid: false, path: '', message, output };
}
