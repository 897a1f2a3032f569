import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { expect, inject, onTestFailed } from 'vitest';
import type { LogRecord } from '../../src/core/log-record.js';
import { connectStore } from '../../src/store/store.js';
import { silentLogger } from './silent-logger.js';
import { missingPrograms, type Sluice } from './start-sluice.js';

/** Why the dashboard cannot be tested here; null where it can. */
export const missingForDashboard: string | null =
  missingPrograms ?? (inject('chromium') === null ? 'no Chromium' : null);

export const PROJECT = '00000000-0000-4000-8000-000000000001';
export const OTHER_PROJECT = '00000000-0000-4000-8000-000000000002';
export const KEY = 'sk-people';

/** Two projects with one endpoint each. Nothing calls the model of these endpoints. */
export const CONFIG = JSON.stringify({
  providers: { local: { api: 'openai', base_url: 'http://127.0.0.1:1/v1' } },
  projects: [PROJECT, OTHER_PROJECT].map((uid, index) => ({
    uid,
    name: ['shop', 'other'][index],
    api_keys: [
      { name: 'people', key: index === 0 ? KEY : 'sk-other', scopes: ['inference', 'feedback', 'logs'] },
    ],
    endpoints: [{ name: 'support', models: [{ provider: 'local', model: 'large' }] }],
  })),
  admin_keys: [{ name: 'root', key_env: 'SLUICE_ADMIN_KEY' }],
});

const PATIENCE_MS = 15_000;

/** A script that finds covered controls. A control that is scrolled out of view does not count. */
const COVERED = `(() => {
  const main = document.getElementById('main');
  const area = main.getBoundingClientRect();
  const isCovered = (control) => {
    const box = control.getBoundingClientRect();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    if (main.contains(control) && (y < area.top || y > area.bottom)) return false;
    return Boolean(document.elementFromPoint(x, y)?.closest('.toast'));
  };
  return [...document.querySelectorAll('a, button, input, select, textarea, summary')]
    .filter((control) => control.closest('.toast') === null && isCovered(control))
    .map((control) => control.outerHTML.slice(0, 160));
})()`;

/** The rules of axe that depend on colours and sizes, and on what a small window shows. */
export const BY_LOOK = [
  'aria-hidden-focus',
  'button-name',
  'color-contrast',
  'landmark-one-main',
  'link-in-text-block',
  'link-name',
  'region',
  'scrollable-region-focusable',
  'target-size',
] as const;

/**
 * Saves a picture of the page in the folder that the variable `DASHBOARD_SHOTS` names, for people who want to look at
 * every page.
 */
export async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env.DASHBOARD_SHOTS;
  if (folder === undefined) return;
  await page.screenshot({ path: join(folder, `${name.replaceAll(/[^\w-]+/g, '-')}.png`) });
}

export function launchBrowser(): Promise<Browser> {
  // Chromium's sandbox does not work for root.
  const isRoot = process.getuid?.() === 0;
  return chromium.launch({
    executablePath: inject('chromium') as string,
    args: isRoot ? ['--no-sandbox'] : [],
  });
}

export async function landLogs(sluice: Sluice, records: LogRecord[]): Promise<void> {
  const store = connectStore({ uri: sluice.mongodbUri, logger: silentLogger });
  try {
    await store.ensureIndexes();
    await store.logs.insertMany(records);
    await store.tags.apply();
  } finally {
    await store.close();
  }
}

export interface DashboardOptions {
  key?: string;
  theme?: 'light' | 'dark';
  viewport?: { width: number; height: number };
  /** The time of the browser's clock, for pages that depend on the hour. By default it is the real time. */
  now?: Date;
  /** Where the browser begins: a path below the project, such as `/logs?tags_all=a`. */
  place?: string;
}

/** The part of the address after `#`. A place is a path of the project, or begins with `/admin`. */
function hashOf(place: string): string {
  return place.startsWith('/admin') ? `#${place}` : `#/${PROJECT}${place}`;
}

/** Signs in and returns what the browser keeps afterwards. */
async function signedIn({ adminUrl }: Sluice, key: string): Promise<BrowserState> {
  const response = await fetch(`${adminUrl}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ key }),
  });
  const [, name = '', value = ''] = /^(\w+)=([^;]*)/.exec(response.headers.get('set-cookie') ?? '') ?? [];
  expect([response.status, name]).toEqual([204, 'sluice_session']);
  const domain = new URL(adminUrl).hostname;
  const cookie = { name, value, domain, path: '/', expires: -1, httpOnly: true, secure: false };
  const localStorage = [{ name: 'sluice.signed-in', value: 'true' }];
  return { cookies: [{ ...cookie, sameSite: 'Strict' }], origins: [{ origin: adminUrl, localStorage }] };
}

type BrowserState = Exclude<BrowserContextOptions['storageState'], string | undefined>;

/** A signed-in reader in their own browser, with everything that went wrong there. */
export class Dashboard {
  /** Opens the dashboard for a reader who has signed in before. Each reader has their own session. */
  static async open(browser: Browser, sluice: Sluice, options: DashboardOptions = {}): Promise<Dashboard> {
    const { key = KEY, place = '/logs' } = options;
    const dashboard = await Dashboard.#inContext(browser, sluice, options, await signedIn(sluice, key));
    await dashboard.page.goto(`${sluice.adminUrl}/${hashOf(place)}`);
    await dashboard.page.locator('nav.side').waitFor({ state: 'attached' });
    return dashboard;
  }

  /** Opens the dashboard for a reader who comes for the first time and signs in. */
  static async signIn(browser: Browser, sluice: Sluice, options: DashboardOptions = {}): Promise<Dashboard> {
    const dashboard = await Dashboard.#inContext(browser, sluice, options);
    const { page } = dashboard;
    await page.goto(sluice.adminUrl);
    await page.getByLabel('Key', { exact: true }).fill(options.key ?? KEY);
    await page.getByRole('button', { name: 'Sign in' }).click();
    return dashboard;
  }

  static async #inContext(
    browser: Browser,
    sluice: Sluice,
    { theme = 'light', viewport = { width: 1280, height: 800 }, now }: DashboardOptions,
    storageState?: BrowserState,
  ): Promise<Dashboard> {
    const context = await browser.newContext({
      colorScheme: theme,
      viewport,
      acceptDownloads: true,
      storageState,
    });
    context.setDefaultTimeout(PATIENCE_MS);
    if (now !== undefined) await context.clock.setFixedTime(now);
    return new Dashboard(sluice, context, await context.newPage());
  }

  /** Messages of the console, errors of scripts, and requests to other origins. */
  readonly complaints: string[] = [];

  private constructor(
    readonly sluice: Sluice,
    readonly context: BrowserContext,
    readonly page: Page,
  ) {
    onTestFailed(() => this.#tell());
    page.on('console', (message) =>
      this.complaints.push(`console: ${message.text()} at ${message.location().url}`),
    );
    page.on('pageerror', (error) => this.complaints.push(`script: ${error.message}`));
    page.on('dialog', (dialog) => {
      this.complaints.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    context.on('request', (request) => {
      const url = new URL(request.url());
      const isOwn = url.origin === sluice.adminUrl || url.protocol === 'data:' || url.protocol === 'blob:';
      if (!isOwn) this.complaints.push(`request: ${request.url()}`);
    });
  }

  async go(place: string): Promise<void> {
    await this.page.evaluate(`location.hash = ${JSON.stringify(hashOf(place))}`);
  }

  get rows() {
    return this.page.getByRole('grid', { name: 'Logs' }).locator('.grid-row');
  }

  toast(text: string | RegExp) {
    return this.page.locator('.toast', { hasText: text });
  }

  async undo(text: string | RegExp): Promise<void> {
    await this.toast(text).getByRole('button', { name: 'Undo' }).click();
    await this.toast('Undone').first().waitFor();
  }

  /** The visible controls that are covered by a message. */
  covered(): Promise<string[]> {
    return this.page.evaluate(COVERED);
  }

  /** Prints what the reader sees, which helps to find out why a test failed. */
  async #tell(): Promise<void> {
    if (this.page.isClosed()) return;
    console.log(
      `The reader is at ${this.page.url()} and sees:\n${await this.page.locator('body').ariaSnapshot()}`,
    );
  }

  /** Checks that the console is empty and no other origin was called, and closes the reader's browser. */
  async close(): Promise<void> {
    await this.context.close();
    expect(this.complaints).toEqual([]);
  }

  /** What axe-core finds wrong with the page, by these rules or by all of them. */
  async violations(rules?: readonly string[]): Promise<string[]> {
    if (!(await this.page.evaluate("'axe' in globalThis"))) {
      const path = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
      await this.page.evaluate(await readFile(path, 'utf8'));
    }
    return this.page.evaluate(async (only) => {
      interface Violation {
        id: string;
        nodes: { html: string }[];
      }
      const { axe } = globalThis as unknown as {
        axe: { run(options: object): Promise<{ violations: Violation[] }> };
      };
      const { violations } = await axe.run({
        // With this, axe does not list the rules that passed, and does not load the styles again.
        resultTypes: ['violations'],
        preload: false,
        ...(only === undefined ? {} : { runOnly: { type: 'rule', values: only } }),
      });
      return violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
      );
    }, rules);
  }
}
