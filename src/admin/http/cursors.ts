import { parseJson } from '../../core/json.js';
import { invalidRequest } from './errors.js';

/** Names the list of a cursor, because a cursor of another list would look valid. */
export type List =
  | 'logs'
  | 'sorted logs'
  | 'tags'
  | 'feedback'
  | 'audit'
  | 'projects'
  | 'keys'
  | 'endpoints'
  | 'plugins';

/** A position in a list, encoded so that clients neither read nor build one. */
export function encodeCursor(list: List, ...position: (string | number)[]): string {
  return Buffer.from(JSON.stringify([list, ...position])).toString('base64url');
}

/** Throws `invalid_request` unless the cursor is one of this list, with values of these types. */
export function decodeCursor<Types extends ('string' | 'number')[]>(
  list: List,
  cursor: string,
  ...types: Types
): { [Index in keyof Types]: Types[Index] extends 'number' ? number : string } {
  const read = parseJson(Buffer.from(cursor, 'base64url').toString('utf8'));
  const [of, ...values] = Array.isArray(read) ? read : [];
  const fits =
    of === list &&
    values.length === types.length &&
    values.every((value, index) => typeof value === types[index]);
  if (!fits) throw invalidRequest([{ path: 'cursor', message: 'is not a cursor of this list' }]);
  // The caller names the type of each value, and the types were checked above.
  return values as never;
}

/** A position in a list that is ordered by time and id. */
export interface TimePosition {
  created_at: Date;
  id: string;
}

export function encodeTimeCursor(list: List, position: TimePosition | null): string | null {
  return position === null ? null : encodeCursor(list, position.created_at.getTime(), position.id);
}

export function decodeTimeCursor(list: List, cursor: string | undefined): TimePosition | undefined {
  if (cursor === undefined) return undefined;
  const [time, id] = decodeCursor(list, cursor, 'number', 'string');
  const created_at = new Date(time);
  if (Number.isNaN(created_at.getTime())) {
    throw invalidRequest([{ path: 'cursor', message: 'is not a cursor of this list' }]);
  }
  return { created_at, id };
}
