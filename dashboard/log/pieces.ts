import type { Finding } from './findings.ts';

export interface Piece<Found extends Finding = Finding> {
  text: string;
  finding?: Found;
}

/** Cuts the text at its findings. */
export function foundPieces<Found extends Finding>(text: string, findings: Found[]): Piece<Found>[] {
  const pieces: Piece<Found>[] = [];
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

/**
 * Cuts a text in which the log has a placeholder, `<TYPE>`, `<TYPE_1>` or `<TYPE_A1>`, in place of each finding. The
 * findings are assigned to these in the same order.
 */
export function maskedPieces<Found extends Finding>(text: string, findings: Found[]): Piece<Found>[] {
  const byType = new Map<string, Found[]>();
  for (const finding of [...findings].sort((a, b) => b.start - a.start)) {
    const ofType = byType.get(finding.type);
    if (ofType === undefined) byType.set(finding.type, [finding]);
    else ofType.push(finding);
  }
  const pieces: Piece<Found>[] = [];
  let at = 0;
  // The text is searched once, because a log may have thousands of findings.
  for (const { 0: mask, 1: name = '', index } of text.matchAll(/<([^<>]+)>/g)) {
    const ofType = byType.get(name) ?? byType.get(name.replace(/_A?\d+$/, ''));
    if (ofType === undefined) continue;
    if (index > at) pieces.push({ text: text.slice(at, index) });
    // Where there are more marks than findings, the last finding is used again.
    pieces.push({ text: mask, finding: ofType.length > 1 ? ofType.pop() : ofType[0] });
    at = index + mask.length;
  }
  if (at < text.length) pieces.push({ text: text.slice(at) });
  return pieces;
}
