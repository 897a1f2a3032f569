import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { type Browser, chromium } from 'playwright-core';
import type { Store } from '../src/store/store.js';
import { findChromium } from '../test/support/find-chromium.js';
import { ADMIN_KEY, type AdminService, withAdminService } from './admin-service.js';
import { generateLog, PROJECT } from './log-generator.js';

/*
 * What a reader waits for in Chromium: from the load of the page until the first logs are shown, and the longest
 * task of the page's thread while 10,000 rows are scrolled through. `npm run bench -- dashboard`; `--logs 1000000`
 * for more of them, `--data <folder>` to keep them.
 */
const { values: options } = parseArgs({
  options: { logs: { type: 'string', default: '100000' }, data: { type: 'string' } },
});
const LOGS = Number(options.logs);
const LOADS = 20;
const ROWS = 10_000;
const ROW_PX = 36;
const STEP_PX = 720;
const BATCH = 1000;
const TARGETS = { first_content_p95_ms: 500, longest_task_ms: 50 };

async function fill(store: Store): Promise<void> {
  const { logs } = await store.logs.list(PROJECT, {}, { limit: 1 });
  if (logs.length > 0) return;
  for (let first = 0; first < LOGS; first += BATCH) {
    const records = Array.from({ length: BATCH }, (_, offset) => generateLog(first + offset));
    await store.logs.insertMany(records);
    if (first % 50_000 === 0) console.error(`${first} logs`);
  }
}

interface Loaded {
  firstContentMs: number;
  firstLogsMs: number;
}

/**
 * Loads the page in a new browser each time, which has the session of a signed-in person and nothing in its cache.
 */
async function measureLoads(browser: Browser, url: string): Promise<Loaded[]> {
  const first = await browser.newContext();
  const page = await first.newPage();
  await page.goto(url);
  await page.getByLabel('Key', { exact: true }).fill(ADMIN_KEY);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('nav.side, .state-title').first().waitFor();
  const state = await first.storageState();
  const loads: Loaded[] = [];
  for (let count = 0; count < LOADS; count++) {
    const context = await browser.newContext({ storageState: state });
    const fresh = await context.newPage();
    await fresh.goto(`${url}/#/${PROJECT}/logs`);
    await fresh.locator('.grid-row').first().waitFor();
    const firstLogsMs = Number(await fresh.evaluate('performance.now()'));
    const firstContentMs = Number(
      await fresh.evaluate(`performance.getEntriesByName('first-contentful-paint')[0].startTime`),
    );
    loads.push({ firstContentMs, firstLogsMs });
    await context.close();
  }
  await first.close();
  return loads;
}

/**
 * Scrolls one step in each frame until enough rows have gone by, and returns the long tasks that the browser
 * reported.
 */
async function measureScrolling(browser: Browser, url: string) {
  const context = await browser.newContext({ viewport: { width: 1360, height: 820 } });
  const page = await context.newPage();
  await page.goto(url);
  await page.getByLabel('Key', { exact: true }).fill(ADMIN_KEY);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('nav.side, .state-title').first().waitFor();
  await page.evaluate(`location.hash = '#/${PROJECT}/logs'`);
  await page.locator('.grid-row').first().waitFor();
  const result = await page.evaluate(
    async ({ target, step }) => {
      const scope = globalThis as unknown as {
        document: { querySelector(selector: string): { scrollTop: number } };
        requestAnimationFrame(callback: () => void): void;
        PerformanceObserver: new (
          callback: (list: { getEntries(): { duration: number }[] }) => void,
        ) => { observe(options: object): void };
      };
      const tasks: number[] = [];
      const observer = new scope.PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) tasks.push(duration);
      });
      observer.observe({ type: 'longtask' });
      const grid = scope.document.querySelector('.grid');
      const start = performance.now();
      let frames = 0;
      while (grid.scrollTop < target && performance.now() - start < 120_000) {
        grid.scrollTop += step;
        frames++;
        await new Promise<void>((resume) => scope.requestAnimationFrame(resume));
      }
      await new Promise((resume) => setTimeout(resume, 200));
      return { frames, seconds: (performance.now() - start) / 1000, scrolled: grid.scrollTop, tasks };
    },
    { target: ROWS * ROW_PX, step: STEP_PX },
  );
  await context.close();
  return result;
}

async function run({ store, url }: AdminService): Promise<boolean> {
  const found = await findChromium(process.env);
  if ('problem' in found) throw new Error(found.problem);
  await fill(store);
  await store.ensureIndexes();
  const isRoot = process.getuid?.() === 0;
  const browser = await chromium.launch({
    executablePath: found.path,
    args: isRoot ? ['--no-sandbox'] : [],
  });
  try {
    const loads = await measureLoads(browser, url);
    const { frames, seconds, scrolled, tasks } = await measureScrolling(browser, url);
    const results = {
      logs: LOGS,
      cpus: cpus().length,
      first_content_p95_ms: p95(loads.map(({ firstContentMs }) => firstContentMs)),
      first_logs_p95_ms: p95(loads.map(({ firstLogsMs }) => firstLogsMs)),
      rows_scrolled: Math.round(scrolled / ROW_PX),
      frames_per_second: Math.round(frames / seconds),
      tasks_over_50_ms: tasks.length,
      longest_task_ms: Math.round(Math.max(0, ...tasks)),
    };
    console.log(JSON.stringify(results, null, 2));
    const missed = Object.entries(TARGETS).filter(
      ([name, target]) => results[name as keyof typeof TARGETS] > target,
    );
    for (const [name, target] of missed) console.error(`over ${target}: ${name}`);
    return missed.length === 0;
  } finally {
    await browser.close();
  }
}

function p95(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return Math.round(sorted[Math.ceil(values.length * 0.95) - 1] as number);
}

process.exitCode = (await withAdminService(options.data, run)) ? 0 : 1;
