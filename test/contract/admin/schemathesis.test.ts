import { describeSchemathesis } from '../../support/suites/schemathesis.js';

// `npm run test:fuzz` gives it minutes.
describeSchemathesis({ seconds: 8, examples: 10 });
