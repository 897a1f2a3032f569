import { describeClients } from '../../support/suites/clients.js';
import { ISTIO } from '../../support/ways.js';

describeClients();
describeClients(ISTIO);
