import { describeFaultRounds } from '../support/faults/fault-rounds.js';

describeFaultRounds({ rounds: 10, clients: 8, momentMs: 3_000, stallMs: 30_000 });
