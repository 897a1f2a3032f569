import { GO_PROGRAMS, goProgram } from './go-program.js';

/* Builds what the contract tests will ask for while other tests run; what cannot be built they tell themselves. */
for (const program of GO_PROGRAMS) await goProgram(program);
