import type { PreparedPlugin } from './prepared-plugin.js';

/** A weakness of a correctly configured guard that an operator should know. */
export interface Gap {
  /** The plugin's index in the endpoint's list. */
  index: number;
  message: string;
}

/** The ways in which content can bypass a guard. Plugins of the LOG phase stop nothing, so they have none. */
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
      ? ['it runs only in the log phase, in which nothing can be rejected any more']
      : [];
  }
  if (plugin.keepsTime && !stops) return [];
  if (sample < 1)
    return [`with 'sample: ${sample}', ${Math.round(100 - sample * 100)} % of requests pass unchecked`];
  if (plugin.keepsTime && onError === 'allow') {
    return [
      "with 'on_error: allow', texts that are too long, or that arrive while too many are waiting, pass unchecked",
    ];
  }
  if (plugin.keepsTime && config.engine !== 'presidio') return [];
  if (onError === 'reject') return [];
  return [
    plugin.keepsTime
      ? "while its Presidio analyzer cannot be reached, texts pass unchecked; 'on_error: reject' refuses them"
      : "while it fails or is late, requests pass unchecked; 'on_error: reject' refuses them",
  ];
}
