/** Whose leaving ended an exchange. Where a model broke off, Envoy drops the client, who would take half for whole. */
export type DisconnectedSide = 'client' | 'model' | 'gateway';

/** What its log says then; `note` is for the runs of guards. */
export const DISCONNECTS: Record<DisconnectedSide, { code: string; message: string; note: string }> = {
  client: {
    code: 'client_closed',
    message: 'The client closed the connection.',
    note: 'the client has gone',
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
