import { describeFallback } from '../support/suites/fallback.js';

describeFallback();
