import { describeClients } from '../../support/suites/clients.js';
import { ONE_OF_EACH } from '../../support/ways.js';

describeClients();
for (const way of ONE_OF_EACH) describeClients(way);
