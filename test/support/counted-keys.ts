import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** Presses keys like a person without a mouse, and counts them, except for typed text. */
export class CountedKeys {
  pressed = 0;

  constructor(readonly page: Page) {}

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
    this.pressed += keys.length;
  }

  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text);
  }

  isFocused(what: Locator): Promise<boolean> {
    return what.and(this.page.locator(':focus')).isVisible();
  }

  async tabTo(what: Locator): Promise<void> {
    await what.waitFor();
    for (let tab = 0; tab < 15 && !(await this.isFocused(what)); tab++) await this.press('Tab');
    expect(await this.isFocused(what)).toBe(true);
  }

  /** Moves the focus past the list of pages, to the content. */
  async skipToContent(): Promise<void> {
    await this.tabTo(this.page.getByRole('button', { name: 'Skip to the content' }));
    await this.press('Enter');
  }

  /** Checks that the task took at most as many keys as docs/dashboard.md says. Then the next task begins. */
  async tookFor(task: string): Promise<void> {
    const told = (await keysByTask()).get(task);
    expect({ task, told }).toEqual({ task, told: expect.any(Number) });
    expect(this.pressed, task).toBeLessThanOrEqual(told as number);
    this.pressed = 0;
  }
}

/** The tasks of docs/dashboard.md and the number of keys of each. */
export async function keysByTask(): Promise<Map<string, number>> {
  const docs = await readFile('docs/dashboard.md', 'utf8');
  const rows = docs.split('| task | keys |\n')[1]?.split('\n\n')[0]?.split('\n').slice(1) ?? [];
  return new Map(
    rows.map((row) => {
      const [task = '', keys = ''] = row.replace(/^\| | \|$/g, '').split(' | ');
      return [task, Number(/^\d+/.exec(keys)?.[0])];
    }),
  );
}
