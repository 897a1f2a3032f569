import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** What a tag takes beside its letters, and a letter; close enough to tell how many fit. */
const TAG_PX = 18;
const LETTER_PX = 6.6;
const LONGEST_PX = 180;
const MORE_PX = 30;

/** The width of the column is the same in each row: it is measured once for all that are drawn together. */
let measured = { at: 0, width: 0 };

/** As many tags as fit in one line, and how many more there are. */
export function Tags({ tags }: { tags: readonly string[] }) {
  const element = useRef<HTMLSpanElement>(null);
  const [width, setWidth] = useState(measured.width || 160);
  useLayoutEffect(() => {
    const now = performance.now();
    // At most once for each frame of a scrolling list.
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

/** How many of the tags fit, one at least. */
export function fitting(tags: readonly string[], width: number): number {
  let left = width;
  for (const [index, tag] of tags.entries()) {
    left -= Math.min(LONGEST_PX, TAG_PX + tag.length * LETTER_PX) + 4;
    const needed = index < tags.length - 1 ? MORE_PX : 0;
    if (left < needed) return Math.max(1, index);
  }
  return tags.length;
}
