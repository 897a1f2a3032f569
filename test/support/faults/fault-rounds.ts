import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { missingPrograms } from '../start-sluice.js';
import { type FaultSystem, startFaultSystem } from './fault-system.js';
import { FAULTS, type Fault } from './faults.js';
import { notKept, untilKept } from './kept.js';
import { type Given, Load } from './load.js';
import { between, seededRandom, seedOfRun } from './seeded-random.js';

export interface RoundsOptions {
  rounds: number;
  clients: number;
  /** The longest time from the first answer to the fault. */
  momentMs: number;
  stallMs: number;
}

/** How many answers, and how many feedback signals, must succeed after a fault is over. */
const AFTERWARDS = 10;

/** Tests that several faults, one after the other, lose nothing that clients were promised. */
export function describeFaultRounds(options: RoundsOptions): void {
  const seed = seedOfRun();
  describe.skipIf(missingPrograms !== null)(`logs and feedback under load (SEED=${seed})`, () => {
    const all: Given = { answers: new Map(), feedback: new Map() };
    let system: FaultSystem;
    beforeAll(async () => {
      console.log(`faults with SEED=${seed}`);
      system = await startFaultSystem();
    });
    afterAll(() => system?.stop());

    for (let round = 1; round <= options.rounds; round++) {
      for (const [index, fault] of FAULTS.entries()) {
        it(`are kept when ${fault.name}${options.rounds > 1 ? `, round ${round}` : ''}`, async ({ skip }) => {
          skip(fault.needsDisk === true && system.disk === undefined, 'a tmpfs cannot be mounted here');
          const load = await underFault(system, fault, options, seed + round * FAULTS.length + index);
          console.log(`${fault.name}: ${told(load)}`);
          await untilKept(system.gateway.sluice, load.given);
          for (const [request, log] of load.given.answers) all.answers.set(request, log);
          for (const [log, feedback] of load.given.feedback) all.feedback.set(log, feedback);
        });
      }
    }

    it('are still all there after everything', async () => {
      expect(await notKept(system.gateway.sluice, all)).toEqual([]);
    });
  });
}

async function underFault(
  system: FaultSystem,
  fault: Fault,
  { clients, momentMs, stallMs }: RoundsOptions,
  seed: number,
): Promise<Load> {
  const random = seededRandom(seed);
  system.gateway.provider.reset();
  const load = new Load(system.gateway, clients);
  try {
    await load.moreAnswers(1);
    await sleep(between(random, 0, momentMs));
    await fault.strike({ system, load, random, stallMs });
    await Promise.all([load.moreAnswers(AFTERWARDS), load.moreFeedback(AFTERWARDS)]);
  } finally {
    await load.stop();
  }
  return load;
}

function told({ counts, given }: Load): string {
  const { plain, streams, refused, broken } = counts;
  return (
    `${plain} plain and ${streams} streamed answers, ${given.feedback.size} feedback acknowledged, ` +
    `${refused} requests refused, ${broken} broken`
  );
}
