import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** The width of a tag without its letters, and of a letter, in pixels: exact enough to tell how many tags fit. */
const TAG_PX = 18;
const LETTER_PX = 6.6;
const LONGEST_PX = 180;
const MORE_PX = 30;

/** The column has the same width in each row, so it is measured once for all rows that are drawn together. */
let measured = { at: 0, width: 0 };

/** Shows as many tags as fit in one line, and the number of the others. */
export function Tags({ tags }: { tags: readonly string[] }) {
  const element = useRef<HTMLSpanElement>(null);
  const [width, setWidth] = useState(measured.width || 160);
  useLayoutEffect(() => {
    const now = performance.now();
    // Measures at most once in each frame of a scrolling list.
    if (now - measured.at > 16 && element.current !== null)
      measured = { at: now, width: element.current.clientWidth };
    if (measured.width > 0 && measured.width !== width) setWidth(measured.width);
  });
  const shown = fitting(tags, width);
  const hidden = tags.slice(shown);
  return (
    <span class="tags" ref={element}>
      {tags.slice(0, shown).map((tag) => (
        <span key={tag} class="tag" title={tag}>
          {tag}
        </span>
      ))}
      {hidden.length > 0 && (
        <span class="muted more-tags" title={hidden.join('\n')}>
          +{hidden.length}
        </span>
      )}
    </span>
  );
}

/** How many of the tags fit into the width; at least one. */
export function fitting(tags: readonly string[], width: number): number {
  let left = width;
  for (const [index, tag] of tags.entries()) {
    left -= Math.min(LONGEST_PX, TAG_PX + tag.length * LETTER_PX) + 4;
    const needed = index < tags.length - 1 ? MORE_PX : 0;
    if (left < needed) return Math.max(1, index);
  }
  return tags.length;
}
