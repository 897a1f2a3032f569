import { describe, expect, it } from 'vitest';
import { SluiceError } from '../core/errors.js';
import type { JsonValue } from '../core/json.js';
import type { OfferedTools } from '../core/message.js';
import { prepareContract, type WantedOutput } from './output-contract.js';
import type { OutputValidation } from './validation.js';

const A = { type: 'object', title: 'a' };
const B = { type: 'object', title: 'b' };
const tools = (changes: Partial<OfferedTools> = {}): OfferedTools => ({
  tools: [
    { name: 'a', parameters: A },
    { name: 'b', parameters: B, strict: true },
  ],
  forced: [],
  mustCallOne: false,
  ...changes,
});

async function prepare(wanted: WantedOutput) {
  const prepared: JsonValue[] = [];
  const validation: OutputValidation = {
    async prepare(schema) {
      if (JSON.stringify(schema).includes('integr')) throw new SluiceError('invalid_json_schema', 'bad.');
      prepared.push(schema);
      return { check: async () => ({ valid: true }) };
    },
    close: async () => {},
  };
  return { contract: await prepareContract(validation, wanted), prepared };
}

describe('what an answer must satisfy', () => {
  it.each<[string, WantedOutput, JsonValue[]]>([
    ['the schema of the output', { outputSchema: { schema: A } }, [A]],
    ['any object in json mode', { outputJson: 'object' }, [{ type: 'object' }]],
    ['any JSON where the API says no more', { outputJson: 'any' }, [true]],
    ['the schemas of strict tools', { tools: tools() }, [B]],
    ['those of forced ones too', { tools: tools({ forced: ['a'] }) }, [A, B]],
    ['those of all', { tools: tools(), allTools: true }, [A, B]],
    ['both', { outputSchema: { schema: A }, tools: tools() }, [A, B]],
    [
      'an object where a tool says nothing',
      { tools: tools({ tools: [{ name: 'c', strict: true }] }) },
      [{ type: 'object' }],
    ],
  ])('is %s', async (_case, wanted, schemas) => {
    const { prepared, contract } = await prepare(wanted);
    expect(prepared).toEqual(schemas);
    expect(contract).toBeDefined();
  });

  it.each<[string, WantedOutput]>([
    ['it wants nothing', {}],
    ['its tools are free', { tools: tools({ tools: [{ name: 'a', parameters: A }] }) }],
    ['its tools are not looked at', { tools: undefined, allTools: true }],
  ])('does not exist where %s', async (_case, wanted) => {
    expect((await prepare(wanted)).contract).toBeUndefined();
  });

  it('names the tools of which one must be called', async () => {
    const { contract } = await prepare({ tools: tools({ forced: ['a'], mustCallOne: true }) });
    expect(contract?.mustCall).toEqual(['a']);
    const other = await prepare({ tools: tools({ forced: ['a'] }) });
    expect(other.contract?.mustCall).toEqual([]);
  });

  it('is refused where the schema of a tool is invalid, with the name of that tool', async () => {
    const bad = tools({ tools: [{ name: 'x', parameters: { type: 'integr' }, strict: true }] });
    await expect(prepare({ tools: bad })).rejects.toMatchObject({
      code: 'invalid_json_schema',
      param: 'tools',
      message: 'The tool "x": bad.',
    });
  });

  it('is refused where a request has more tools than may be checked', async () => {
    const many = Array.from({ length: 257 }, (_, at) => ({ name: `t${at}`, strict: true }));
    await expect(prepare({ tools: tools({ tools: many }) })).rejects.toMatchObject({
      message: expect.stringContaining('257'),
    });
  });
});
