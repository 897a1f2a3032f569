import { describe, expect, it } from 'vitest';
import { joinMetrics } from './join-metrics.js';

const text = (value: number) => `# HELP a_total How many
# TYPE a_total counter
a_total{project="p {x} y"} ${value}
a_total{project="q"} ${value + 1}
# HELP lag How late
# TYPE lag gauge
lag ${value}
`;

describe('the metrics of several processes', () => {
  it('have each family once, and each series with its worker', () => {
    const joined = joinMetrics(
      text(1),
      new Map([
        ['1', text(10)],
        ['2', text(20)],
      ]),
    );
    expect(joined.split('\n')).toEqual([
      '# HELP a_total How many',
      '# TYPE a_total counter',
      'a_total{project="p {x} y"} 1',
      'a_total{project="q"} 2',
      'a_total{worker="1",project="p {x} y"} 10',
      'a_total{worker="1",project="q"} 11',
      'a_total{worker="2",project="p {x} y"} 20',
      'a_total{worker="2",project="q"} 21',
      '# HELP lag How late',
      '# TYPE lag gauge',
      'lag 1',
      'lag{worker="1"} 10',
      'lag{worker="2"} 20',
      '',
    ]);
  });

  it('include families that only one worker has, and nothing of a worker that did not answer', () => {
    const joined = joinMetrics(
      '',
      new Map([
        ['1', ''],
        ['2', '# TYPE b counter\nb{} 1\n'],
      ]),
    );
    expect(joined).toBe('# TYPE b counter\nb{worker="2"} 1\n');
  });

  it('keep what the engine reports of itself, of which there is one', () => {
    expect(joinMetrics('# TYPE c gauge\nc 1\n', new Map())).toBe('# TYPE c gauge\nc 1\n');
  });
});
