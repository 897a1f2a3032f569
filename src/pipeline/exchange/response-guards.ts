import type { Exchange } from './exchange.js';

/** Whether a response plugin must check the model's answer. */
export function isGuarded(exchange: Exchange): boolean {
  if (exchange.call !== 'answer' || exchange.dialect.answers !== undefined) return false;
  return hasResponsePlugins(exchange);
}

export function hasResponsePlugins({ plugins }: Exchange): boolean {
  return plugins.some(({ phases }) => phases.includes('response'));
}
