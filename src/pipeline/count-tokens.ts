import type { JsonDocument } from '../core/json.js';
import type { Message, Part } from '../core/message.js';
import { readCountTokensRequest, writeTokenCount } from '../dialects/anthropic-messages/count-tokens.js';
import type { RequestView } from '../dialects/dialect.js';
import { chooseProviderDialect } from '../dialects/providers.js';
import type { Exchange } from './exchange.js';
import type { Reply } from './http.js';
import type { Services } from './ports.js';
import { jsonReply } from './replies.js';

/** Of UTF-8, for a token of text in the usual languages; a tokenizer would cost 200 ms to load, for an estimate. */
const BYTES_PER_TOKEN = 4;
/** What a message costs beside its text. */
const TOKENS_PER_MESSAGE = 4;

/** A request to count tokens, as the gateway reads it. */
export function readCountTokensView(document: JsonDocument): RequestView {
  const { model } = readCountTokensRequest(document);
  return {
    model,
    stream: false,
    metadata: null,
    store: false,
    streamUsage: false,
    choiceCount: 1,
    parameters: {},
  };
}

/** Leaves the first model whose provider can count; false where none can. */
export function chooseCounter(exchange: Exchange, services: Services): boolean {
  const counter = exchange.plan.find(({ provider: name }) => {
    const provider = services.directory.provider(name);
    return (
      provider !== undefined && chooseProviderDialect(provider, exchange.dialect.id) === exchange.dialect.id
    );
  });
  if (counter === undefined) return false;
  exchange.plan = [counter];
  return true;
}

/** An estimate of ours, where no provider of the chain counts. */
export function estimateTokens(exchange: Exchange): Reply {
  const texts = textsOf(exchange.dialect.readMessages(exchange.document!));
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const tokens = Math.ceil(bytes / BYTES_PER_TOKEN) + texts.length * TOKENS_PER_MESSAGE;
  return jsonReply(200, writeTokenCount(tokens), exchange.id);
}

function textsOf(messages: readonly Message[]): string[] {
  return messages.map(({ parts }) => parts.map(textOf).join(' '));
}

function textOf(part: Part): string {
  switch (part.type) {
    case 'text':
    case 'reasoning':
    case 'refusal':
      return part.text;
    case 'tool-call':
      return `${part.name} ${part.arguments}`;
    case 'tool-result':
      return part.parts.map(textOf).join(' ');
    default:
      return '';
  }
}
