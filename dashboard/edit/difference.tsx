import { diffWordsWithSpace } from 'diff';
import { useMemo } from 'preact/hooks';

/** Texts whose comparison takes longer are shown without a difference. */
const TIMEOUT_MS = 100;

export function Difference({ before, after }: { before: string; after: string }) {
  const pieces = useMemo(() => diffWordsWithSpace(before, after, { timeout: TIMEOUT_MS }), [before, after]);
  if (before === after) return <p class="muted">Write the better answer to see what changed.</p>;
  if (pieces === undefined) return <p class="muted">The texts are too different to compare.</p>;
  return (
    <section class="difference" tabIndex={0} aria-label="Changes to the original">
      {pieces.map(({ value, added, removed }, index) =>
        added ? <ins key={index}>{value}</ins> : removed ? <del key={index}>{value}</del> : value,
      )}
    </section>
  );
}
