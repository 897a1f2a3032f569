import type { Token, Tokens } from 'marked';
import type { ComponentChildren, VNode } from 'preact';
import { memo } from 'preact/compat';
import { Code } from './code.tsx';
import { markdownTokens } from './markdown-tokens.ts';
import { MarkedInside, type MarkedText, markText, withMarkers, withoutMarkers } from './marked-text.tsx';

const MAX_DEPTH = 24;

/**
 * A text of a model or a client with its Markdown shown as formatted text. The parser gives a tree, of which
 * this makes elements: no text ever becomes HTML, links go to the web or to a mailbox only, and only images
 * that are part of the text are shown.
 */
export const Markdown = memo(function Markdown({ text, marked }: { text: string; marked?: MarkedText }) {
  const source = marked === undefined ? text : withMarkers(marked);
  const tokens = source === undefined ? undefined : markdownTokens(source);
  if (tokens === undefined) {
    return (
      <div class="plain-text" dir="auto">
        {marked === undefined ? text : markText(marked)}
      </div>
    );
  }
  return (
    <div class="markdown" dir="auto">
      {blocks(tokens, 0)}
    </div>
  );
});

type Nodes = ComponentChildren;

function blocks(tokens: Token[], depth: number): Nodes {
  if (depth > MAX_DEPTH) return tokens.map(({ raw }) => withoutMarkers(raw));
  return tokens.map((token, index) => (
    <Block key={index} token={token as Tokens.Generic} depth={depth + 1} />
  ));
}

function Block({ token, depth }: { token: Tokens.Generic; depth: number }): VNode | null {
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'heading':
      // A heading inside a text is no heading of the page.
      return <p class={`heading level-${token.depth}`}>{inline(token.tokens, depth)}</p>;
    case 'paragraph':
      return <p>{inline(token.tokens, depth)}</p>;
    case 'code':
      return (
        <pre tabIndex={0} class="code-block" dir="ltr">
          {token.lang && <span class="code-language">{withoutMarkers(String(token.lang)).slice(0, 40)}</span>}
          <Code text={token.text} language={token.lang} />
        </pre>
      );
    case 'blockquote':
      return <blockquote>{blocks(token.tokens ?? [], depth)}</blockquote>;
    case 'list':
      return list(token as Tokens.List, depth);
    case 'table':
      return table(token as Tokens.Table, depth);
    case 'hr':
      return <hr />;
    case 'text':
      return <>{token.tokens ? inline(token.tokens, depth) : <MarkedInside text={token.raw} />}</>;
    default:
      return (
        <p>
          <MarkedInside text={token.raw} />
        </p>
      );
  }
}

function list({ ordered, start, items }: Tokens.List, depth: number): VNode {
  const shown = items.map((item, index) => (
    <li key={index}>
      {item.task && (item.checked ? '☑ ' : '☐ ')}
      {blocks(
        item.tokens.filter(({ type }) => type !== 'checkbox'),
        depth,
      )}
    </li>
  ));
  return ordered ? <ol start={Number(start) || 1}>{shown}</ol> : <ul>{shown}</ul>;
}

function table({ header, rows }: Tokens.Table, depth: number): VNode {
  return (
    <div class="table-scroll" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {header.map((cell, index) => (
              <th key={index}>{inline(cell.tokens, depth)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={column}>{inline(cell.tokens, depth)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function inline(tokens: Token[] | undefined, depth: number): Nodes {
  if (tokens === undefined) return null;
  if (depth > MAX_DEPTH) return tokens.map(({ raw }) => withoutMarkers(raw));
  return tokens.map((token, index) => (
    <Inline key={index} token={token as Tokens.Generic} depth={depth + 1} />
  ));
}

function Inline({ token, depth }: { token: Tokens.Generic; depth: number }): VNode {
  switch (token.type) {
    case 'strong':
      return <strong>{inline(token.tokens, depth)}</strong>;
    case 'em':
      return <em>{inline(token.tokens, depth)}</em>;
    case 'del':
      return <del>{inline(token.tokens, depth)}</del>;
    case 'codespan':
      return (
        <code>
          <MarkedInside text={token.text} />
        </code>
      );
    case 'br':
      return <br />;
    case 'escape':
      return <MarkedInside text={token.text} />;
    case 'link':
      return link(token, inline(token.tokens, depth));
    case 'image':
      return isOwnImage(token.href) ? (
        <img src={token.href} alt={token.text} />
      ) : (
        <span class="left-out">
          [image not loaded: {withoutMarkers(String(token.text || token.href)).slice(0, 200)}]
        </span>
      );
    case 'text':
      return <>{token.tokens ? inline(token.tokens, depth) : <MarkedInside text={token.text} />}</>;
    default:
      // HTML in the text is shown as text.
      return <MarkedInside text={token.raw} />;
  }
}

function link({ href: written, raw }: Tokens.Generic, children: Nodes): VNode {
  const href = typeof written === 'string' ? withoutMarkers(decodeMarkers(written)) : written;
  if (!isSafeLink(href)) return <MarkedInside text={raw} />;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow" title={href}>
      {children}
    </a>
  );
}

/** The parser escapes characters that a URL cannot contain. Markers must be changed back here. */
function decodeMarkers(href: string): string {
  return href.replace(/%EE%80%(8[01]|9[0-9])/gi, '');
}

/** Whether a link leads to the web or to a mailbox. Other links, such as `javascript:`, are shown as text. */
export function isSafeLink(href: unknown): href is string {
  if (typeof href !== 'string') return false;
  try {
    return ['http:', 'https:', 'mailto:'].includes(new URL(href).protocol);
  } catch {
    return false;
  }
}

/**
 * Whether an image is part of the text itself. SVG is left out, because it is a document that can contain scripts.
 */
export function isOwnImage(url: unknown): boolean {
  return typeof url === 'string' && /^data:image\/(png|jpeg|gif|webp|avif);base64,/i.test(url);
}
