import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SluiceError } from '../core/errors.js';
import { type LongAnswer, LongAnswers } from './long-answers.js';

const MEBIBYTE = 1 << 20;

class Answer implements LongAnswer {
  receivedBytes = 0;
  readonly errors: SluiceError[] = [];

  constructor(private readonly all: LongAnswers) {}

  giveUp(error: SluiceError): void {
    this.errors.push(error);
    this.all.delete(this);
  }
}

describe('long answers that are under way', () => {
  let waiting: number | undefined;
  let looks: number;
  let all: LongAnswers;
  let answers: Answer[];

  beforeEach(() => {
    vi.useFakeTimers();
    waiting = 0;
    looks = 0;
    all = new LongAnswers(async () => {
      looks++;
      return waiting;
    });
    answers = [0, 1, 2].map(() => new Answer(all));
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const ended = () => answers.map(({ errors }) => errors.length);

  /** Each answer gets so many MiB, and then Envoy is asked. */
  async function receive(...mebibytes: number[]): Promise<void> {
    for (const [index, count] of mebibytes.entries()) answers[index]!.receivedBytes += count * MEBIBYTE;
    await vi.advanceTimersByTimeAsync(50);
  }

  it('all go on while Envoy keeps little of them', async () => {
    for (const answer of answers) all.add(answer);
    waiting = 128 * MEBIBYTE;
    await receive(100, 1, 1);
    expect([looks, ended()]).toEqual([1, [0, 0, 0]]);
  });

  it('end with the fastest one first where Envoy keeps too much, and more of them only where that grows', async () => {
    for (const answer of answers) all.add(answer);
    await receive(100, 1, 1);
    waiting = 129 * MEBIBYTE;
    await receive(1, 2, 30);
    expect(ended()).toEqual([0, 0, 1]);
    expect(answers[2]!.errors).toMatchObject([{ code: 'upstream_unavailable' }]);
    // What waits of the answer that has ended is being read.
    await receive(1, 2);
    expect(ended()).toEqual([0, 0, 1]);
    waiting = 130 * MEBIBYTE;
    await receive(1, 2);
    expect(ended()).toEqual([0, 1, 1]);
    waiting = 0;
    await receive(50);
    expect(ended()).toEqual([0, 1, 1]);
  });

  it('all go on where Envoy cannot be asked', async () => {
    for (const answer of answers) all.add(answer);
    waiting = undefined;
    await receive(1, 2, 3);
    expect([looks, ended()]).toEqual([1, [0, 0, 0]]);
  });

  it('have Envoy asked only while there are some', async () => {
    await receive();
    expect(looks).toBe(0);
    all.add(answers[0]!);
    await receive(1);
    await receive(1);
    expect(looks).toBe(2);
    all.delete(answers[0]!);
    await receive();
    const last = looks;
    await receive();
    expect(looks).toBe(last);
    all.add(answers[1]!);
    await receive(1);
    expect(looks).toBe(last + 1);
  });
});
