import type { Dialect } from '../../src/dialects/dialect.js';
import { describeAnswers } from './dialects-suite-answers.js';
import { describeErrors } from './dialects-suite-errors.js';
import { describeRequests } from './dialects-suite-requests.js';
import { describeStreams } from './dialects-suite-streams.js';
import type { Lacks } from './dialects-support.js';

/** What every dialect owes the gateway, on the fixtures of its folder. */
export function describeDialect(dialect: Dialect, lacks: Lacks = {}): void {
  describeRequests(dialect, lacks);
  describeAnswers(dialect);
  describeStreams(dialect, lacks);
  describeErrors(dialect);
}
