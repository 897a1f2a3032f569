import { describeTimes } from '../../support/suites/times.js';

describeTimes();
