/**
 * The life of an exchange. It ends exactly once, and its end makes exactly one log record.
 *
 * - `receiving`: the request's body is arriving or being processed.
 * - `forwarded`: models are being tried; the client has received nothing.
 * - `releasing`: the client has the head of the answer, so the status can no longer change.
 * - `ended`: the record is made. What still arrives from either side is dropped.
 */
export type ExchangeState = 'receiving' | 'forwarded' | 'releasing' | 'ended';

/** The legal moves, all of them. */
export const EXCHANGE_MOVES: Readonly<Record<ExchangeState, readonly ExchangeState[]>> = {
  receiving: ['forwarded', 'ended'],
  forwarded: ['releasing', 'ended'],
  releasing: ['ended'],
  ended: [],
};

export function canMove(from: ExchangeState, to: ExchangeState): boolean {
  return EXCHANGE_MOVES[from].includes(to);
}
