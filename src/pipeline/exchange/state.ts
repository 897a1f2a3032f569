/**
 * The life of an exchange. It ends exactly once, whatever happens, and the end makes exactly one log record.
 *
 * - `receiving`: the request's body is coming in, or is being looked at.
 * - `forwarded`: models are being tried; nothing has reached the client.
 * - `releasing`: the client has the answer's head; the status can no longer change.
 * - `ended`: the record is made. What still comes from either side is dropped.
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
