import type { Config } from '../../config/config.js';
import type { Role } from '../../process/role.js';

/** Which of the engine's workers this process is. */
export interface WorkerPlace {
  /** The number of the worker, from 1 on. */
  number: number;
  count: number;
  /** The role of the main process. */
  role: Role;
}

/** The share of the configured limits that one worker may use. One request of the largest size has to fit. */
export function shareOf(config: Config, { count }: Pick<WorkerPlace, 'count'>): Config {
  const { limits, spool } = config;
  const bodies = Math.max(limits.request_body_bytes, Math.floor(limits.bodies_in_flight_bytes / count));
  return {
    ...config,
    limits: { ...limits, bodies_in_flight_bytes: bodies },
    spool: { ...spool, max_bytes: Math.max(1, Math.floor(spool.max_bytes / count)) },
  };
}
