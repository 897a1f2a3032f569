/**
 * Spans of names. Create and change them only with these functions, which keep the properties in one order: V8 is
 * fastest with objects of one shape, and `{ ...span, end }` creates another shape at each place in the code.
 */
export type NameType = 'PERSON' | 'LOCATION' | 'NRP';

export interface NameSpan {
  type: NameType;
  start: number;
  end: number;
  score: number;
}

export function startingAt({ type, end, score }: NameSpan, start: number): NameSpan {
  return { type, start, end, score };
}

export function asType({ start, end, score }: Omit<NameSpan, 'type'>, type: NameType): NameSpan {
  return { type, start, end, score };
}

export function scored({ type, start, end }: NameSpan, score: number): NameSpan {
  return { type, start, end, score };
}
