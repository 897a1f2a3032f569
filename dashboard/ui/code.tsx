import type { ComponentChildren } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { MarkContext, MarkedInside, withoutMarkers } from './marked-text.tsx';

/** Longer code is shown without colours, because colouring it would take longer than a frame. */
const MOST_UNITS = 20_000;

/** The tree that the highlighter makes of a text. */
interface Node {
  type: string;
  value?: string;
  properties?: { className?: string[] };
  children?: Node[];
}

/** Code with coloured words. The highlighter is loaded with the first code of a page. */
export function Code({ text, language }: { text: string; language?: string }) {
  const marked = useContext(MarkContext);
  const [tree, setTree] = useState<Node>();
  const name = language === undefined ? '' : withoutMarkers(language).trim().split(/\s/)[0]!.toLowerCase();
  // A text with marks is shown without colours, because marks matter more.
  const isMarked = marked !== undefined && withoutMarkers(text) !== text;
  useEffect(() => {
    setTree(undefined);
    if (name === '' || isMarked || text.length > MOST_UNITS) return;
    let wanted = true;
    void import('./highlighter.ts').then(({ highlight }) => {
      const made = highlight(name, text);
      if (wanted && made !== undefined) setTree(made as Node);
    });
    return () => {
      wanted = false;
    };
  }, [text, name, isMarked]);
  return <code>{tree === undefined ? <MarkedInside text={text} /> : shown(tree)}</code>;
}

function shown({ children = [] }: Node): ComponentChildren {
  return children.map((node, index) =>
    node.type === 'text' ? (
      node.value
    ) : (
      <span key={index} class={node.properties?.className?.join(' ')}>
        {shown(node)}
      </span>
    ),
  );
}
