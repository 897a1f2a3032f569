import type { ChildProcess } from 'node:child_process';
import { BEAT_MS, Pulse } from '../../process/pulse.js';

/**
 * Kills a worker that has sent something and is then silent for too long; `hangs` is called before. Returns a function that
 * stops this. Each message is a sign of life, and not only a heartbeat: a worker that has answered its start can hang before its
 * first heartbeat is due.
 */
export function watchPulse(child: Pick<ChildProcess, 'on' | 'kill'>, hangs: () => void): () => void {
  const pulse = new Pulse();
  child.on('message', () => pulse.beat());
  const beats = setInterval(() => {
    if (!pulse.due()) return;
    hangs();
    // A worker that hangs does not react to other signals.
    child.kill('SIGKILL');
  }, BEAT_MS);
  return () => clearInterval(beats);
}
