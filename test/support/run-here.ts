import { vi } from 'vitest';

/** What a command prints and ends with, in the test's process: one of its own costs half a second and more. */
export async function runHere(command: () => Promise<number>): Promise<{ code: number; output: string }> {
  let output = '';
  const note = (line: unknown) => {
    output += `${line}\n`;
  };
  const spies = (['log', 'warn', 'error'] as const).map((name) =>
    vi.spyOn(console, name).mockImplementation(note),
  );
  try {
    const code = await command();
    return { code, output };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
