import { vi } from 'vitest';

/** Runs a command in the test's process, because a new process would take half a second. Returns its exit code and output. */
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
