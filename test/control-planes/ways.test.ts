import { describeFallback } from '../support/suites/fallback.js';
import { otherWays } from '../support/ways.js';

/** The pairs of a control plane and a version of Envoy that test/contract/chain/ways does not run. */
for (const way of await otherWays()) describeFallback(way);
