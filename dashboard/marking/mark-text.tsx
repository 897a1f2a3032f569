import { useEffect, useMemo, useRef } from 'preact/hooks';
import { type Mark, piecesOf, type Span } from './marking.ts';

interface MarkTextProps {
  label: string;
  text: string;
  /** The marks of this text, in order. */
  marks: Mark[];
  selection: Span | undefined;
  /** The reader selected something with the mouse or a finger; start and end are equal for a click. */
  onSelect: (start: number, end: number) => void;
}

/** A text with its marks and the selection. The text in the document is exactly the log's, so offsets can be counted in it. */
export function MarkText({ label, text, marks, selection, onSelect }: MarkTextProps) {
  const element = useRef<HTMLDivElement>(null);
  const pieces = useMemo(() => piecesOf(text, marks, selection), [text, marks, selection]);
  useEffect(() => {
    if (selection !== undefined) {
      element.current?.querySelector('.selected')?.scrollIntoView({ block: 'nearest' });
    }
  }, [selection]);
  return (
    <div
      ref={element}
      class="mark-text"
      role="group"
      aria-label={label}
      dir="auto"
      onPointerUp={({ clientX, clientY }) => {
        const selected = element.current && selectedIn(element.current, clientX, clientY);
        if (selected) onSelect(...selected);
      }}
    >
      {pieces.map(({ text: piece, start, mark, selected, last }) => {
        const of = selected ? 'selected' : undefined;
        if (mark !== undefined) {
          return (
            <mark key={start} class={of} title={mark.type} data-type={last ? mark.type : undefined}>
              {piece}
            </mark>
          );
        }
        return selected ? (
          <span key={start} class={of}>
            {piece}
          </span>
        ) : (
          piece
        );
      })}
    </div>
  );
}

/** What the reader selected in the element, or where they pressed, as offsets into its text. */
function selectedIn(element: HTMLElement, x: number, y: number): [start: number, end: number] | undefined {
  const selection = getSelection();
  const dragged = selection === null || selection.isCollapsed ? undefined : selection.getRangeAt(0);
  const range = dragged ?? rangeAt(x, y);
  if (!range || !element.contains(range.startContainer) || !element.contains(range.endContainer))
    return undefined;
  const before = document.createRange();
  before.selectNodeContents(element);
  before.setEnd(range.startContainer, range.startOffset);
  const start = before.toString().length;
  const end = start + range.toString().length;
  // The page shows the selection itself, also after the keyboard changed it.
  selection?.removeAllRanges();
  return [start, end];
}

/** Browsers differ in what they call this. */
function rangeAt(x: number, y: number): Range | undefined {
  const position = document.caretPositionFromPoint?.(x, y);
  if (!position) return document.caretRangeFromPoint?.(x, y) ?? undefined;
  const range = document.createRange();
  range.setStart(position.offsetNode, position.offset);
  return range;
}
