import type { PreparedPlugin } from './prepared-plugin.js';

/** A weakness of a correctly configured guard that an operator should know. */
export interface Gap {
  /** The plugin's index in the endpoint's list. */
  index: number;
  message: string;
}

/** The ways in which content can bypass a guard. Plugins of the LOG phase stop nothing, so they have none. */
export function gapsOf(plugins: readonly PreparedPlugin[]): Gap[] {
  return plugins.flatMap((prepared, index) => {
    const messages = [...messagesOf(prepared), ...orderMessages(prepared, plugins.slice(0, index))];
    return messages.map((message) => ({ index, message }));
  });
}

/** What an earlier entry replaced by a stand-in, a later entry does not find, and the client gets it back. */
function orderMessages(later: PreparedPlugin, before: readonly PreparedPlugin[]): string[] {
  const isBlinding = ({ entry, phases }: PreparedPlugin) =>
    entry.plugin === later.entry.plugin &&
    entry.mode === 'enforce' &&
    (entry.config.mask === 'reversible' || entry.config.mask === 'surrogate') &&
    phases.includes('response');
  if (!stopsAnswers(later) || !before.some(isBlinding)) return [];
  return [
    "an entry before it masks reversibly in the response phase too, so this one does not see what that one finds in an answer; give that entry 'phases: [request]'",
  ];
}

function stopsAnswers({ entry: { config, mode }, phases }: PreparedPlugin): boolean {
  const isMaskedForGood = config.mask === true;
  return (
    mode === 'enforce' &&
    phases.includes('response') &&
    (config.reject_on_detection === true || isMaskedForGood)
  );
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
