import type { Log } from '../api/client.ts';

export type Finding = Log['plugin_runs'][number]['findings'][number];

/** A finding, the plugin that found it, and the reason where the log has one. */
export interface ToldFinding extends Finding {
  plugin: string;
  reason: string | undefined;
}

type ByPart = Map<number, ToldFinding[]>;

/**
 * The findings of one phase, by turn and by part. A finding has a place such as `/2/parts/0/text`: the number of the
 * turn, then that of the part. All turns are read at once, because a log may have thousands of findings.
 */
export function findingsByTurn(log: Log, phase: 'request' | 'response'): Map<number, ByPart> {
  const byTurn = new Map<number, ByPart>();
  for (const { plugin, phase: ran, findings, debug } of log.plugin_runs) {
    if (ran !== phase) continue;
    findings.forEach((finding, index) => {
      const place = /^\/(\d+)\/(?:message\/)?parts\/(\d+)/.exec(finding.place);
      if (place === null) return;
      const [turn, part] = [Number(place[1]), Number(place[2])];
      const byPart: ByPart = byTurn.get(turn) ?? new Map();
      byTurn.set(turn, byPart);
      const told = { ...finding, plugin, reason: reasonOf(debug, index) };
      const list = byPart.get(part);
      if (list === undefined) byPart.set(part, [told]);
      else list.push(told);
    });
  }
  return byTurn;
}

/** The reason for the finding with this number, in words, from the plugin's `debug.decisions`. */
function reasonOf(debug: unknown, index: number): string | undefined {
  const decisions = (debug as { decisions?: unknown } | undefined)?.decisions;
  const decision = Array.isArray(decisions) ? (decisions[index] as unknown) : undefined;
  if (typeof decision !== 'object' || decision === null) return undefined;
  const { entity_type: _type, place: _place, score: _score, ...rest } = decision as Record<string, unknown>;
  const words = Object.entries(rest).flatMap(([name, value]) => {
    if (value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0))
      return [];
    const shown = typeof value === 'object' ? JSON.stringify(value) : String(value);
    return [`${name.replaceAll('_', ' ')}: ${shown}`];
  });
  return words.length === 0 ? undefined : words.join('; ');
}

export interface FindingGroup {
  type: string;
  count: number;
  /** The lowest and the highest score. */
  lowest: number;
  highest: number;
  findings: Finding[];
}

/** Groups findings by type, the most frequent type first. */
export function groupFindings(findings: readonly Finding[]): FindingGroup[] {
  const groups = new Map<string, FindingGroup>();
  for (const finding of findings) {
    const { type, score } = finding;
    const group = groups.get(type) ?? { type, count: 0, lowest: score, highest: score, findings: [] };
    groups.set(type, group);
    group.count++;
    group.lowest = Math.min(group.lowest, score);
    group.highest = Math.max(group.highest, score);
    group.findings.push(finding);
  }
  return [...groups.values()].sort((a, b) => b.count - a.count);
}
