import type { LogSummary } from '../api/client.ts';

export type Finding = LogSummary['plugin_runs'][number]['findings'][number];

export interface Piece {
  text: string;
  finding?: Finding;
}

/** The text cut at what was found in it. */
export function foundPieces(text: string, findings: Finding[]): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const finding of [...findings].sort((a, b) => a.start - b.start)) {
    if (finding.start < at || finding.end > text.length || finding.end <= finding.start) continue;
    if (finding.start > at) pieces.push({ text: text.slice(at, finding.start) });
    pieces.push({ text: text.slice(finding.start, finding.end), finding });
    at = finding.end;
  }
  if (at < text.length) pieces.push({ text: text.slice(at) });
  return pieces;
}

/** The log holds `<TYPE>` for what was found: the marks go there, in the same order. */
export function maskedPieces(text: string, findings: Finding[]): Piece[] {
  const waiting = [...findings].sort((a, b) => a.start - b.start);
  const types = [...new Set(waiting.map(({ type }) => type))];
  const masks = types.map((type) => `<${type}>`);
  const pieces: Piece[] = [];
  let at = 0;
  for (;;) {
    const found = masks
      .map((mask) => ({ mask, start: text.indexOf(mask, at) }))
      .filter(({ start }) => start !== -1)
      .sort((a, b) => a.start - b.start)[0];
    if (found === undefined) break;
    if (found.start > at) pieces.push({ text: text.slice(at, found.start) });
    const type = found.mask.slice(1, -1);
    const index = waiting.findIndex((finding) => finding.type === type);
    const finding = index === -1 ? findings.find((one) => one.type === type) : waiting.splice(index, 1)[0];
    pieces.push({ text: found.mask, finding });
    at = found.start + found.mask.length;
  }
  if (at < text.length) pieces.push({ text: text.slice(at) });
  return pieces;
}
