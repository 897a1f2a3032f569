/** A client's schema and a model's output, both as text, since JSON.stringify cannot write some of them. */
export interface HostileCase {
  what: string;
  schema: string;
  output: string;
  /** The status that the client gets. */
  status: 200 | 400 | 422;
  /** Whether it keeps a thread busy for long. */
  slow?: true;
}

const LEVELS = 100_000;
const nested = `${'['.repeat(LEVELS)}${']'.repeat(LEVELS)}`;
const words = (count: number) => JSON.stringify(Array.from({ length: count }, (_, at) => `v${at}`));

/** A schema whose references double at each of 40 levels. */
const doubling = `{"$ref":"#/$defs/a40","$defs":{"a0":{"type":"string"},${Array.from(
  { length: 40 },
  (_, at) => `"a${at + 1}":{"allOf":[{"$ref":"#/$defs/a${at}"},{"$ref":"#/$defs/a${at}"}]}`,
).join()}}}`;

/** `distinct` is added to each schema, so that no earlier run has cached it. */
export function hostileCases(distinct: string): HostileCase[] {
  const note = `"$comment":${JSON.stringify(distinct)}`;
  const many = `${'a'.repeat(40)}!`;
  return [
    {
      what: 'a schema of 100,000 levels',
      schema: `${'{"not":'.repeat(LEVELS)}{${note}}${'}'.repeat(LEVELS)}`,
      output: '1',
      status: 400,
    },
    {
      what: 'an output of 100,000 levels',
      schema: `{${note},"type":"array","items":{"$ref":"#"}}`,
      output: nested,
      status: 422,
    },
    {
      what: '^(a+)+$ and a text made for it',
      schema: `{${note},"pattern":"^(a+)+$"}`,
      output: JSON.stringify(many),
      status: 422,
    },
    {
      what: 'the same with a lookahead, which no linear engine knows',
      schema: `{${note},"pattern":"^(?=a)(a+)+$"}`,
      output: JSON.stringify(many),
      status: 422,
      slow: true,
    },
    { what: 'a ring of references', schema: `{${note},"$ref":"#"}`, output: '1', status: 400 },
    {
      what: 'references that double 40 times',
      schema: `{${note},"allOf":[${doubling}]}`,
      output: '"x"',
      status: 400,
    },
    {
      what: 'a remote reference',
      schema: `{${note},"$ref":"http://127.0.0.1:1/schema.json"}`,
      output: '1',
      status: 400,
    },
    {
      what: 'an enum of 256 KiB',
      schema: `{${note},"enum":${words(28_000)}}`,
      output: '"v27999"',
      status: 200,
      slow: true,
    },
  ];
}
