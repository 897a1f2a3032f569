/** A plugin broke its contract. The message is for operators and never reaches a client. */
export class PluginFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PluginFault';
  }
}

const LONGEST_REASON = 500;

/** A thrown value as text, in the form of `plugin_runs[].reason`. */
export function reasonOf(thrown: unknown): string {
  const text = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : `threw ${typeof thrown}`;
  const reason = thrown instanceof PluginFault ? thrown.message : text;
  return boundedReason(reason);
}

export function boundedReason(reason: string): string {
  return reason.length > LONGEST_REASON ? `${reason.slice(0, LONGEST_REASON)}…` : reason;
}
