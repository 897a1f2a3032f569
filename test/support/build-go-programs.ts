import { GO_PROGRAMS, goProgram } from './go-program.js';

/*
 * Builds the Go programs of the contract tests while other tests run. A program that cannot be built is reported by
 * the test that needs it.
 */
for (const program of GO_PROGRAMS) await goProgram(program);
