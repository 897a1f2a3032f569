/**
 * Spans of names. Where one is changed it is made anew by these, with its properties in one order: V8 reads objects of
 * one shape fastest, and what `{ ...span, end }` makes has a shape of its own at each place in the code.
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
