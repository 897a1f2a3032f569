/**
 * Who ended an exchange by disconnecting. Where a model broke off, Envoy disconnects the client, which would
 * otherwise take half of an answer for the whole.
 */
export type DisconnectedSide = 'client' | 'model' | 'gateway';

/** What the log says in each case. `note` is for the runs of guards. */
export const DISCONNECTS: Record<DisconnectedSide, { code: string; message: string; note: string }> = {
  client: {
    code: 'client_closed',
    message: 'The client closed the connection.',
    note: 'the client disconnected',
  },
  model: {
    code: 'upstream_unavailable',
    message: 'The model broke off its answer.',
    note: 'the model broke off',
  },
  gateway: {
    code: 'gateway_lost',
    message: 'The connection to Envoy was lost.',
    note: 'the connection to Envoy was lost',
  },
};
