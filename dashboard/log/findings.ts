import type { Log } from '../api/client.ts';
import { reasonOf } from './finding-reason.ts';

export type Finding = Log['plugin_runs'][number]['findings'][number];

/** A finding, the plugin that found it, and the reason where the log has one. */
export interface ExplainedFinding extends Finding {
  plugin: string;
  reason: string | undefined;
  /** Whether the log has a placeholder in place of the finding, so that its offsets do not fit the log's text. */
  masked: boolean;
}

type ByPart = Map<number, ExplainedFinding[]>;

/**
 * The findings of one phase, by turn and by part. A finding has a place such as `/2/parts/0/text`: the number of the
 * turn, then that of the part. All turns are read at once, because a log may have thousands of findings.
 */
export function findingsByTurn(log: Log, phase: 'request' | 'response'): Map<number, ByPart> {
  const byTurn = new Map<number, ByPart>();
  const isMasked = log[`${phase}_kept`] === 'masked';
  for (const { plugin, phase: ran, findings, debug, outcome, observed } of log.plugin_runs) {
    if (ran !== phase) continue;
    const masked = isMasked && observed !== true && (outcome === 'modified' || outcome === 'rejected');
    findings.forEach((finding, index) => {
      const place = /^\/(\d+)\/(?:message\/)?parts\/(\d+)/.exec(finding.place);
      if (place === null) return;
      const [turn, part] = [Number(place[1]), Number(place[2])];
      const byPart: ByPart = byTurn.get(turn) ?? new Map();
      byTurn.set(turn, byPart);
      const explained = { ...finding, plugin, reason: reasonOf(debug, index), masked };
      const list = byPart.get(part);
      if (list === undefined) byPart.set(part, [explained]);
      else list.push(explained);
    });
  }
  return byTurn;
}

export interface FindingGroup {
  type: string;
  count: number;
  /** The lowest and the highest score of the group. */
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
