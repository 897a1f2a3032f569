import { describeFallback } from '../../support/suites/fallback.js';
import { describeTimes } from '../../support/suites/times.js';
import { describeTries } from '../../support/suites/tries.js';
import { ONE_OF_EACH, WAYS } from '../../support/ways.js';

/* Chains behind Envoys of others are no other than on an Envoy of ours: the same suites. */

for (const way of WAYS) describeFallback(way);
for (const way of ONE_OF_EACH) {
  describeTimes(way);
  describeTries(way);
}
