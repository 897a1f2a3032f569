import type { Counts, Exemplar } from './counts.js';

/*
 * OpenMetrics 1.0, which Prometheus requests. Unlike the older text format, from which it is made here, it has exemplars: the
 * trace of one request in a bucket.
 */

/** The older text with the exemplars of our histograms added after their buckets. */
export function addExemplars(text: string, counts: Counts, nameOf: (name: string) => string): string {
  const exemplars = exemplarsBySeries(counts, nameOf);
  if (exemplars.size === 0) return text;
  const lines = text.split('\n').map((line) => {
    const exemplar = exemplars.get(line.slice(0, line.lastIndexOf(' ')));
    return exemplar === undefined ? line : `${line} ${exemplar}`;
  });
  return lines.join('\n');
}

/** Converts the older text: counters lose their suffix in the metadata, and the text ends with EOF. */
export function toOpenMetrics(text: string): string {
  const counters = new Set([...text.matchAll(/^# TYPE (\S+)_total counter$/gm)].map(([, name]) => name));
  const renamed = text.replace(/^(# (?:HELP|TYPE) )(\S+)_total( .*)$/gm, (line, start, name, rest) =>
    counters.has(name) ? `${start}${name}${rest}` : line,
  );
  return `${renamed.replace(/\n*$/, '\n')}# EOF\n`;
}

/** Exemplars by the bucket's series in the older text. */
function exemplarsBySeries({ histograms }: Counts, nameOf: (name: string) => string): Map<string, string> {
  const found = new Map<string, string>();
  for (const { metric, points } of histograms) {
    for (const { attributes, point } of points) {
      const labels = Object.entries(attributes).map(
        ([name, value]) => `${name.replace(/\W/g, '_')}="${escaped(String(value))}",`,
      );
      for (const [bucket, exemplar] of point.exemplars) {
        const bound = metric.buckets?.[bucket] ?? '+Inf';
        found.set(`${nameOf(metric.name)}_bucket{${labels.join('')}le="${bound}"}`, shown(exemplar));
      }
    }
  }
  return found;
}

function shown({ traceId, spanId, value, at }: Exemplar): string {
  return `# {trace_id="${traceId}",span_id="${spanId}"} ${value} ${(at / 1000).toFixed(3)}`;
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');
}
