/*
 * Joins the metrics of several processes to one text in Prometheus's format 0.0.4. Series of a worker get the label `worker`.
 * Sums are left to the reader, because a sum drops when a worker restarts.
 */

interface Family {
  /** The lines HELP and TYPE. */
  head: string[];
  series: string[];
}

/** The joined text. `workers` has the text of each worker by its name. */
export function joinMetrics(own: string, workers: ReadonlyMap<string, string>): string {
  const families = new Map<string, Family>();
  addText(families, own, (series) => series);
  for (const [worker, text] of workers) addText(families, text, (series) => labelled(series, worker));
  const lines = [...families.values()].flatMap(({ head, series }) => [...head, ...series]);
  return lines.map((line) => `${line}\n`).join('');
}

function addText(families: Map<string, Family>, text: string, change: (series: string) => string): void {
  let family: Family | undefined;
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const [, name] = /^# (?:HELP|TYPE) (\S+)/.exec(line) ?? [];
    if (name === undefined) {
      if (!line.startsWith('#')) family?.series.push(change(line));
      continue;
    }
    family = families.get(name) ?? { head: [], series: [] };
    families.set(name, family);
    if (!family.head.includes(line)) family.head.push(line);
  }
}

/** A series is `name value` or `name{label="text",…} value`, with an optional timestamp. */
function labelled(series: string, worker: string): string {
  const end = series.search(/[{ ]/);
  const name = series.slice(0, end);
  const rest = series.slice(end);
  const label = `worker="${worker}"`;
  return rest.startsWith('{}')
    ? `${name}{${label}}${rest.slice(2)}`
    : rest.startsWith('{')
      ? `${name}{${label},${rest.slice(1)}`
      : `${name}{${label}}${rest}`;
}
