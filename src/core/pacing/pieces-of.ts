/** The bytes that are parsed in one step, which takes a few milliseconds. */
const PIECE_BYTES = 64 * 1024;

/** A body in pieces that can be parsed in one step each. Nearly every chunk of an answer is one piece. */
export function piecesOf(bytes: Buffer): Buffer[] {
  if (bytes.length <= PIECE_BYTES) return [bytes];
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) pieces.push(bytes.subarray(at, at + PIECE_BYTES));
  return pieces;
}
