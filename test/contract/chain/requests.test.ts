import { describeTries } from '../../support/suites/tries.js';

describeTries();
