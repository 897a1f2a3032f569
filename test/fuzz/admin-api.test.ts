import { describeSchemathesis } from '../support/suites/schemathesis.js';

describeSchemathesis({ seconds: Number(process.env.FUZZ_SECONDS ?? 300), examples: 200 });
