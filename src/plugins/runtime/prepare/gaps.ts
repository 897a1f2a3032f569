import type { PreparedPlugin } from './prepared-plugin.js';

/** A weakness of a correctly configured guard that an operator should know. */
export interface Gap {
  /** Index in the endpoint's list. */
  index: number;
  message: string;
}

/** The ways in which content can bypass a guard. Log plugins stop nothing and have none. */
export function gapsOf(plugins: readonly PreparedPlugin[]): Gap[] {
  return plugins.flatMap((prepared, index) => messagesOf(prepared).map((message) => ({ index, message })));
}

function messagesOf({ entry, plugin, phases }: PreparedPlugin): string[] {
  const { config, on_error: onError, mode, sample } = entry;
  if (mode !== 'enforce') return [];
  const stops = config.reject_on_detection === true || (config.mask ?? false) !== false;
  const guards = phases.includes('request') || phases.includes('response');
  if (!guards) {
    return config.reject_on_detection === true
      ? ['it runs in the log phase alone, where nothing can be rejected any more']
      : [];
  }
  if (plugin.keepsTime && !stops) return [];
  if (sample < 1)
    return [`with 'sample: ${sample}', ${Math.round(100 - sample * 100)} % of exchanges go on unseen`];
  if (plugin.keepsTime && onError === 'allow') {
    return [
      "with 'on_error: allow', text that is too long, or comes while too much is waiting, goes on unseen",
    ];
  }
  if (plugin.keepsTime && config.engine !== 'presidio') return [];
  if (onError === 'reject') return [];
  return [
    plugin.keepsTime
      ? "what comes while its Presidio analyzer cannot be reached goes on unseen; 'on_error: reject' refuses it"
      : "what comes while it fails or is late goes on unseen; 'on_error: reject' refuses it",
  ];
}
