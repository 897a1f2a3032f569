import { Composer, type CST, type Document, isMap, isSeq, visit, type YAMLMap, type YAMLSeq } from 'yaml';
import type { Steps } from '../../core/pacing/steps.js';

/** The most items of a list or map that are composed in one step. */
const ITEMS_PER_STEP = 50;

type Collection = CST.BlockMap | CST.BlockSequence;

/** The parts of a long collection but the last, which stays in the tokens: what follows goes by where it ends. */
interface Cut {
  offset: number;
  parts: Collection[];
}

/**
 * Makes documents of the tokens of a text. The composer of the package does that in a single step, so the items of long block
 * collections are taken out of the tokens first. They are composed in parts, and put into their collections again.
 */
export function* composeInSteps(tokens: CST.Token[], end: number): Steps<Document[]> {
  const cuts = new Map<CST.Token, Cut>();
  const [document, ...others] = tokens.filter((token) => token.type === 'document');
  // Directives can give tags another meaning, which the parts would not know.
  const canBeCut = others.length === 0 && !tokens.some(({ type }) => type === 'directive');
  if (document !== undefined && canBeCut) document.value = shorten(document.value, cuts);
  const documents = compose(tokens, end);
  yield;
  for (const composed of documents) yield* putBack(composed, cuts, end);
  return documents;
}

function compose(tokens: CST.Token[], end: number): Document[] {
  const composer = new Composer({ uniqueKeys: false, prettyErrors: false, keepSourceTokens: true });
  return [...composer.compose(tokens, true, end)];
}

/** The token with the last part of its items where these are many. `cuts` then has the other parts. */
function shorten(token: CST.Token | undefined, cuts: Map<CST.Token, Cut>): CST.Token | undefined {
  if (token?.type !== 'block-map' && token?.type !== 'block-seq') return token;
  if (token.items.length <= ITEMS_PER_STEP) {
    for (const item of token.items) if (item.value !== undefined) item.value = shorten(item.value, cuts);
    return token;
  }
  const parts: Collection[] = [];
  for (let at = 0; at < token.items.length; at += ITEMS_PER_STEP) {
    const items = token.items.slice(at, at + ITEMS_PER_STEP);
    const [{ start, key, sep }] = items as [Collection['items'][number]];
    const offset = (start[0] ?? key ?? sep?.[0] ?? token).offset;
    parts.push({ ...token, offset, items } as Collection);
  }
  const last = parts.pop()!;
  cuts.set(last, { offset: token.offset, parts });
  return last;
}

function* putBack(document: Document, cuts: Map<CST.Token, Cut>, end: number): Steps {
  const shortened: [node: YAMLMap | YAMLSeq, cut: Cut][] = [];
  visit(document, {
    Collection: (_key, node) => {
      const cut = node.srcToken && cuts.get(node.srcToken);
      if (cut !== undefined) shortened.push([node, cut]);
    },
  });
  for (const [node, { offset, parts }] of shortened) {
    const items: unknown[] = [];
    for (const value of parts) {
      const [part] = compose([{ type: 'document', offset: value.offset, start: [], value }], end);
      const contents = part?.contents;
      if (isMap(contents) || isSeq(contents)) items.push(...contents.items);
      document.errors.push(...(part?.errors ?? []));
      document.warnings.push(...(part?.warnings ?? []));
      yield;
    }
    node.items = [...items, ...node.items] as typeof node.items;
    if (node.range) node.range[0] = offset;
  }
  document.errors.sort((one, other) => one.pos[0] - other.pos[0]);
}
