import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

/*
 * The README's pictures, of the demo of a running `npm start`:
 * `SLUICE_ADMIN_KEY=… node scripts/screenshots.mjs [http://127.0.0.1:8081]`.
 */
const PROJECT = '00000000-0000-4000-8000-000000000001';
const url = process.argv[2] ?? 'http://127.0.0.1:8081';
const key = process.env.SLUICE_ADMIN_KEY ?? 'sk-demo';
const folder = join(dirname(dirname(fileURLToPath(import.meta.url))), 'docs/pictures');

/** Each picture: what is shown, in which theme, and what is there when it is ready. */
const PICTURES = [
  {
    name: 'logs',
    theme: 'light',
    place: '/logs?tags_all=demo:true',
    ready: '.grid-row',
    keys: ['j', 'j', 'j'],
  },
  {
    name: 'judging',
    theme: 'dark',
    place: '/queue?metadata.topic=code',
    ready: '.markdown pre',
    keys: [],
  },
];

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_BIN ?? '/usr/bin/chromium',
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
mkdirSync(folder, { recursive: true });
for (const { name, theme, place, ready, keys } of PICTURES) {
  const viewport = { width: 1280, height: 640 };
  const context = await browser.newContext({ viewport, colorScheme: theme, locale: 'en-GB' });
  const page = await context.newPage();
  await page.goto(url);
  await page.getByLabel('Key', { exact: true }).fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('nav.side').waitFor();
  await page.evaluate(`location.hash = ${JSON.stringify(`#/${PROJECT}${place}`)}`);
  await page.locator(ready).first().waitFor();
  await page.mouse.move(0, 0);
  for (const one of keys) await page.keyboard.press(one);
  await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' });
  await context.close();
}
await browser.close();
