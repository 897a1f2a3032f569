import { restoreText } from '../../plugins/stand-ins/restore-text.js';
import type { TextForm } from '../../plugins/stand-ins/stand-ins.js';
import type { Exchange } from '../exchange/exchange.js';

/** The form of a text for restoring values: `json` for output that the client requested as JSON and for tool arguments. */
export function formOf(exchange: Exchange, kind: 'text' | 'tool-arguments'): TextForm {
  if (kind === 'tool-arguments') return 'json';
  const { view } = exchange;
  return view?.outputSchema === undefined && view?.outputJson === undefined ? 'plain' : 'json';
}

/** A text of the model as the client will see it. */
export function restored(exchange: Exchange, text: string, kind: 'text' | 'tool-arguments'): string {
  return restoreText(text, exchange.standIns, formOf(exchange, kind));
}
