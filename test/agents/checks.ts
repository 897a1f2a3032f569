import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Agent } from './agents.js';
import type { AgentModel } from './model.js';
import type { OpenAgent } from './run.js';

/*
 * What an agent is asked on each kind of provider. Each turn goes on with those before it, so that later ones carry
 * calls, results, pictures and an answer that was cut.
 */

/** What was seen, by the names of the table's checks. */
export interface Checks {
  prompt: boolean;
  'tool call and result': boolean;
  'second turn': boolean;
  image: boolean;
  'cancelled turn': boolean;
  'turn after it': boolean;
  'long context': boolean;
}

/** Some 15,000 tokens. */
const LONG = 'The quick brown fox jumps over the lazy dog. '.repeat(1_500);
/** Longer than a busy machine needs to start an agent. */
const PATIENCE_MS = 60_000;

export async function checkAgent(agent: Agent, open: OpenAgent, model: AgentModel): Promise<Checks> {
  const { run, picture } = open;
  const prompt = (await run({ prompt: 'Just answer. SAY-1' })).includes('SAID-1');
  const second = await run({ prompt: 'Run the command. RUN-2', goesOn: true });
  const remembered = model.asked('RUN-2').some((text) => text.includes('SAID-1'));
  const tool = agent.editsInText ? await wrote(open, 'made-2.txt', 'MADE-2') : second.includes('DONE-2');
  const seen = await run({ prompt: `What is in the picture? SEE-3 ${picture}`, picture, goesOn: true });
  const cancelled = await cancel(open, model);
  const after = await run({ prompt: `${LONG} Just answer. SAY-5`, goesOn: true });
  return {
    prompt,
    'tool call and result': tool,
    'second turn': remembered,
    image: seen.includes('SAW-3'),
    'cancelled turn': cancelled,
    'turn after it': after.includes('SAID-5'),
    'long context': model.asked('SAY-5').some((text) => text.includes(LONG)),
  };
}

/** Whether the provider's stream ended when the user ended the agent in the middle of it. */
async function cancel({ run }: OpenAgent, model: AgentModel): Promise<boolean> {
  const user = new AbortController();
  const before = model.waiting.length;
  const ended = run({ prompt: 'Take your time. WAIT-4', goesOn: true }, user.signal);
  let over = false;
  void ended.then(() => {
    over = true;
  });
  while (model.waiting.length === before && !over) await wait(50);
  user.abort();
  await ended;
  const asked = model.waiting[before];
  if (asked === undefined) return false;
  return Promise.race([asked.hungUp, wait(PATIENCE_MS, false, { ref: false })]);
}

async function wrote({ folder }: OpenAgent, file: string, text: string): Promise<boolean> {
  const written = await readFile(join(folder, file), 'utf8').catch(() => '');
  return written.includes(text);
}
