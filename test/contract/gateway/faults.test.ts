import { describeFaultRounds } from '../../support/faults/fault-rounds.js';

describeFaultRounds({ rounds: 1, clients: 2, momentMs: 500, stallMs: 3_000 });
