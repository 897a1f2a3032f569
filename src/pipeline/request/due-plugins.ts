import type { PreparedPlugin } from '../../plugins/runtime/host.js';
import { fractionOf } from '../../routing/weights.js';

export interface DuePlugins {
  /** Their results count. */
  enforced: readonly PreparedPlugin[];
  /** They only say what they would have done. */
  observing: readonly PreparedPlugin[];
}

/** The endpoint's plugins that are due in this exchange: not those that are off or not in the sample. */
export function duePlugins(plugins: readonly PreparedPlugin[], logId: string): DuePlugins {
  if (plugins.every(({ entry }) => entry.mode === 'enforce' && entry.sample === 1)) {
    return { enforced: plugins, observing: [] };
  }
  // Not the same draw as for the models' weights, which would make the sample one of models.
  const fraction = fractionOf(`sample ${logId}`);
  const due = plugins.filter(({ entry }) => entry.mode !== 'off' && fraction < entry.sample);
  return {
    enforced: due.filter(({ entry }) => entry.mode === 'enforce'),
    observing: due.filter(({ entry }) => entry.mode === 'observe'),
  };
}
