/** What a process does: serve Envoy, administer, or both. */
export type Role = 'engine' | 'admin' | 'all';

export const ROLES: readonly Role[] = ['engine', 'admin', 'all'];
