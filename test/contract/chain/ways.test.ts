import { describeFallback } from '../../support/suites/fallback.js';
import { describeTimes } from '../../support/suites/times.js';
import { describeTries } from '../../support/suites/tries.js';
import { ONE_OF_EACH } from '../../support/ways.js';

/*
 * Chains behind the Envoys of other control planes pass the same suites as on an Envoy of ours. `npm run
 * test:control-planes` runs the other versions of Envoy.
 */

for (const way of ONE_OF_EACH) {
  describeFallback(way);
  describeTimes(way);
  describeTries(way);
}
