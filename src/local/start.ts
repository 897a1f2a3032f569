import { DEMO_TAG } from './demo/requests.js';
import { type DemoAddresses, sendDemoLogs } from './demo/send-demo-logs.js';
import { launch } from './launch.js';
import { messageOf } from './processes/start-error.js';
import { Supervisor } from './processes/supervisor.js';
import { readLocalSettings } from './settings.js';
import { summaryLines } from './summary.js';

export interface StartOptions {
  /** Whether a few dozen demo logs are sent; true by default. */
  demoLogs?: boolean;
  /** Called once everything is ready; returns a function that undoes it. */
  onReady?: (controls: { restart: (part: string) => void; report: (line: string) => void }) => () => void;
}

/**
 * `npm start`: runs everything on this machine until SIGTERM or SIGINT, then drains. Exits with 0, or with 1 where it
 * could not start or a part did not end properly.
 */
export async function start(options: StartOptions = {}): Promise<void> {
  const report = (line: string): void => console.log(line);
  // A closed pipe, as in `npm start | head`, must not prevent the parts from being ended.
  process.stdout.on('error', () => {});
  process.exit(await runUntilEnded(report, options));
}

async function runUntilEnded(report: (line: string) => void, options: StartOptions): Promise<number> {
  const supervisor = new Supervisor(report);
  const cleanups: (() => unknown)[] = [];
  handleSignals(supervisor, report);
  let failed = false;
  try {
    const settings = readLocalSettings(process.env, process.cwd());
    const summary = await launch(settings, { supervisor, report, onEnd: (work) => cleanups.push(work) });
    for (const line of summaryLines(summary)) report(line);
    if (summary.demo !== undefined && options.demoLogs !== false)
      void fillDemo(summary, supervisor.stopping, report);
    // A part that exits on its own is restarted.
    const restart = (part: string) => supervisor.signal(part, 'SIGTERM');
    if (options.onReady !== undefined) cleanups.push(options.onReady({ restart, report }));
    await ended(supervisor.stopping);
  } catch (error) {
    // An error after the signal came from work that was stopped on purpose.
    failed = !supervisor.stopping.aborted;
    if (failed) report(`\n${messageOf(error)}`);
  }
  const problems = await supervisor.stop();
  for (const cleanup of cleanups.reverse()) await cleanup();
  for (const problem of problems) report(problem);
  return failed || problems.length > 0 ? 1 : 0;
}

/** Sends the demo's logs, so that the dashboard shows data. Everything works without them, too. */
async function fillDemo(
  addresses: DemoAddresses,
  signal: AbortSignal,
  report: (line: string) => void,
): Promise<void> {
  try {
    const count = await sendDemoLogs(addresses, signal);
    if (count > 0) report(`\n${count} demo requests were sent; their logs have the tag \`${DEMO_TAG}\`.`);
  } catch (error) {
    if (!signal.aborted) report(`\nThe demo requests failed: ${messageOf(error)}`);
  }
}

/** The same signal often arrives twice, through npm and through the process group. The second one is ignored. */
function handleSignals(supervisor: Supervisor, report: (line: string) => void): void {
  const end = () => {
    if (supervisor.stopping.aborted) return;
    report('\nEnding: running requests may finish.');
    supervisor.beginStop();
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  // At a terminal, SIGHUP means that the terminal was closed. Otherwise it asks for a reload, as in production.
  process.on('SIGHUP', () => (process.stdout.isTTY ? end() : supervisor.signal('engine', 'SIGHUP')));
}

function ended(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
