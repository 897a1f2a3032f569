import { expect, it } from 'vitest';
import { runProgram } from './run-program.js';

const run = (command: string, parameters: string[] = []) =>
  runProgram(command, parameters, { environment: process.env, timeoutMs: 20_000 });

it('a program that reads its standard input gets no input, and ends', async () => {
  expect(await run('cat')).toMatchObject({ code: 0, output: '' });
});

it('a program that does not exist is a failure that says so', async () => {
  expect(await run('/no/such/program')).toMatchObject({
    code: null,
    started: false,
    problem: '/no/such/program does not exist or cannot be run',
  });
});
