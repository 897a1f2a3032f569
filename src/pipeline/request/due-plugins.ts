import type { PreparedPlugin } from '../../plugins/runtime/host.js';
import { fractionOf } from '../../routing/weights.js';

export interface DuePlugins {
  /** Plugins whose results count. */
  enforced: readonly PreparedPlugin[];
  /** Plugins that only report what they would have done. */
  observing: readonly PreparedPlugin[];
}

/** The endpoint's plugins that must run in this exchange: all except those that are off or not in the sample. */
export function duePlugins(plugins: readonly PreparedPlugin[], logId: string): DuePlugins {
  if (plugins.every(({ entry }) => entry.mode === 'enforce' && entry.sample === 1)) {
    return { enforced: plugins, observing: [] };
  }
  // This must not be the same draw as for the models' weights; otherwise only some models would be in the sample.
  const fraction = fractionOf(`sample ${logId}`);
  const due = plugins.filter(({ entry }) => entry.mode !== 'off' && fraction < entry.sample);
  return {
    enforced: due.filter(({ entry }) => entry.mode === 'enforce'),
    observing: due.filter(({ entry }) => entry.mode === 'observe'),
  };
}
