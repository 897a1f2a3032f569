import { describe, expect, it } from 'vitest';
import type { Answer, Choice } from '../core/answer.js';
import type { FinishReason, Part } from '../core/message.js';
import { judgeAnswer } from './judge-answer.js';
import type { OutputContract } from './output-contract.js';
import type { PreparedSchema } from './validation.js';

/** Wants a JSON object with `ok: true`, and notes what it was asked. */
function createSchema(): PreparedSchema & { asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    async check(text) {
      asked.push(text);
      if (/^\s*\{"ok":\s*true\}\s*$/.test(text)) return { valid: true };
      return { valid: false, path: '/ok', message: 'must be true' };
    },
  };
}

function choice(parts: (Part | string)[], finishReason: FinishReason | null = 'stop', index = 0): Choice {
  return {
    index,
    finishReason,
    parts: parts.map((part) => (typeof part === 'string' ? { type: 'text', text: part } : part)),
  };
}

function answer(...choices: Choice[]): Answer {
  return { id: 'a', model: 'm', choices };
}

const VALID = '{"ok":true}';
const toolCall: Part = { type: 'tool-call', id: 'c', name: 'look', arguments: '{}' };
const refusal: Part = { type: 'refusal', text: 'I cannot help with that.' };
const reasoning: Part = { type: 'reasoning', text: 'They want JSON.' };

async function judge(given: Answer, unwrapFences = false) {
  const schema = createSchema();
  const contract = { output: schema, tools: new Map(), mustCall: [], schemas: [] };
  return { judgement: await judgeAnswer(given, contract, { unwrapFences }), asked: schema.asked };
}

// The rows of the table in docs/validation.md, in its order.
describe('an answer that is accepted after its check', () => {
  it.each([
    ['text that is valid', choice([VALID])],
    ['text in several parts', choice(['{"ok"', ':true}'])],
    ['text after reasoning', choice([reasoning, VALID])],
    ['text whose end nobody told', choice([VALID], null)],
    ['text with a tool call', choice([VALID, toolCall], 'tool-calls')],
  ])('%s', async (_, given) => {
    const { judgement, asked } = await judge(answer(given));
    expect(judgement).toEqual({ valid: true });
    expect(asked).toEqual([VALID]);
  });
});

describe('an answer that is accepted as it is, without a check', () => {
  it.each([
    ['a refusal', choice([refusal])],
    ['a refusal that began as text', choice(['{"ok', refusal])],
    ['text that ends as a refusal', choice(['I will not.'], 'refusal')],
    ['one that the provider filtered', choice(['{"ok'], 'content-filter')],
    ['a turn that pauses', choice(['Searching'], 'pause')],
    ['a tool call', choice([toolCall], 'tool-calls')],
    ['a tool call beside empty text', choice([' ', toolCall], 'tool-calls')],
  ])('%s', async (_, given) => {
    const { judgement, asked } = await judge(answer(given));
    expect(judgement).toEqual({ valid: true });
    expect(asked).toEqual([]);
  });
});

describe('an answer that is invalid', () => {
  it.each([
    ['text that breaks the schema', choice(['{"ok":false}']), '/ok', 'must be true'],
    ['prose before a tool call', choice(['Let me look.', toolCall], 'tool-calls'), '/ok', 'must be true'],
    ['text that was cut', choice([VALID], 'length'), '', 'cut by the token limit'],
    ['a tool call that was cut', choice([toolCall], 'length'), '', 'cut by the token limit'],
    ['no text', choice([]), '/ok', 'must be true'],
    ['reasoning alone', choice([reasoning]), '/ok', 'must be true'],
    ['an empty refusal', choice([{ type: 'refusal', text: '' }]), '/ok', 'must be true'],
    ['a fence', choice([`\`\`\`json\n${VALID}\n\`\`\``]), '/ok', 'must be true'],
  ])('%s', async (_, given, path, message) => {
    const { judgement } = await judge(answer(given));
    expect(judgement).toMatchObject({ valid: false, path, message: expect.stringContaining(message) });
  });

  it('an answer without choices', async () => {
    expect((await judge(answer())).judgement).toMatchObject({ valid: false, path: '' });
  });
});

describe('several choices', () => {
  it('are valid when all of them are', async () => {
    const given = answer(choice([VALID]), choice([refusal], 'stop', 1), choice([VALID], 'stop', 2));
    expect((await judge(given)).judgement).toEqual({ valid: true });
  });

  it('are invalid when one of them is, and the path says which', async () => {
    const given = answer(choice([VALID]), choice(['{}'], 'stop', 1));
    expect((await judge(given)).judgement).toEqual({
      valid: false,
      path: '/choices/1/ok',
      message: 'must be true',
      output: '{}',
    });
  });
});

describe('with unwrap_fences', () => {
  it('the bare JSON replaces its fence', async () => {
    const given = answer(choice([reasoning, `\`\`\`json\n${VALID}\n\`\`\``]));
    const { judgement, asked } = await judge(given, true);
    expect(asked).toEqual([VALID]);
    expect(judgement).toEqual({ valid: true, answer: answer(choice([reasoning, VALID])) });
  });

  it('a fence over several parts becomes one text, and the number of parts stays', async () => {
    const given = answer(choice(['```json\n', VALID, '\n```']));
    const { judgement } = await judge(given, true);
    expect(judgement).toEqual({ valid: true, answer: answer(choice([VALID, '', ''])) });
  });

  it('what is in the fence is checked like any output', async () => {
    const { judgement } = await judge(answer(choice(['```\n{}\n```'])), true);
    expect(judgement).toMatchObject({ valid: false, path: '/ok' });
  });

  it('text without a fence stays as it is', async () => {
    expect((await judge(answer(choice([VALID])), true)).judgement).toEqual({ valid: true });
  });

  it('prose around a fence is still not accepted as output', async () => {
    const { judgement } = await judge(answer(choice([`Here:\n\`\`\`json\n${VALID}\n\`\`\``])), true);
    expect(judgement.valid).toBe(false);
  });
});

describe('calls of tools', () => {
  const call = (text: string, name = 'save'): Part => ({ type: 'tool-call', id: 'c', name, arguments: text });

  async function judgeCalls(given: Answer, contract: Partial<OutputContract> = {}) {
    const tools = new Map([['save', createSchema()]]);
    return judgeAnswer(given, { tools, mustCall: [], schemas: [], ...contract }, { unwrapFences: false });
  }

  it.each<[string, Choice, Partial<OutputContract>]>([
    ['arguments that are valid', choice([call(VALID)], 'tool-calls'), {}],
    ['arguments beside any text', choice(['Let me see.', call(VALID)], 'tool-calls'), {}],
    ['text alone', choice(['Hello.']), {}],
    ['text alone that was cut', choice(['Hel'], 'length'), {}],
    ['nothing at all', choice([]), {}],
    ['a tool without a schema', choice([call('{', 'look')], 'tool-calls'), {}],
    ['a tool that must be called', choice([call(VALID)], 'tool-calls'), { mustCall: ['save', 'look'] }],
    ['a refusal where a tool must be called', choice([refusal]), { mustCall: ['save'] }],
    [
      'a valid output where a tool must be called',
      choice([VALID]),
      { output: createSchema(), mustCall: ['save'] },
    ],
  ])('are accepted: %s', async (_case, given, contract) => {
    expect(await judgeCalls(answer(given), contract)).toEqual({ valid: true });
  });

  it.each<[string, Choice, Partial<OutputContract>, object]>([
    [
      'arguments that break the schema',
      choice([call('{"ok":false}')], 'tool-calls'),
      {},
      { path: '/ok', message: 'in the arguments of "save": must be true', output: '{"ok":false}' },
    ],
    ['one of several calls', choice([call(VALID), call('{}')]), {}, { path: '/tool_calls/1/ok' }],
    [
      'arguments that were cut',
      choice([call(VALID)], 'length'),
      {},
      { message: expect.stringContaining('cut') },
    ],
    [
      'text where a tool must be called',
      choice(['{"name":"Ann"}']),
      { mustCall: ['save'] },
      { path: '', message: 'the answer has no call of "save"', output: '{"name":"Ann"}' },
    ],
    ['another tool', choice([call('{}', 'look')]), { mustCall: ['save'] }, { path: '' }],
    [
      'a valid call beside text that breaks the schema of the output',
      choice(['prose', call(VALID)]),
      { output: createSchema() },
      { path: '/ok', output: 'prose' },
    ],
  ])('are invalid: %s', async (_case, given, contract, failure) => {
    expect(await judgeCalls(answer(given), contract)).toMatchObject({ valid: false, ...failure });
  });

  it('with empty arguments count as an empty object', async () => {
    const schema = createSchema();
    await judgeCalls(answer(choice([call('')])), { tools: new Map([['save', schema]]) });
    expect(schema.asked).toEqual(['{}']);
  });

  it('are checked, in an answer without choices, only where a call is required', async () => {
    expect(await judgeCalls(answer())).toEqual({ valid: true });
    expect(await judgeCalls(answer(), { mustCall: ['save'] })).toMatchObject({ valid: false });
  });
});
