import { describe, expect, it } from 'vitest';
import { type Answer, withChoices } from '../../src/core/answer.js';
import type { JsonValue } from '../../src/core/json.js';
import { atOnce } from '../../src/core/pacing/steps.js';
import type { Dialect } from '../../src/dialects/dialect.js';
import { replaceRepeatedInFrame } from '../../src/pipeline/answer/stream/repeated-texts.js';
import {
  CONTEXT,
  changeTexts,
  documentOf,
  fixturesOf,
  golden,
  LOG_ID,
  replaced,
  substance,
  withoutTier,
} from './dialects-support.js';

export function describeAnswers(dialect: Dialect): void {
  describe('whole answers', () => {
    it.each(fixturesOf(dialect, 'response.json').map((one) => [one.name, one] as const))(
      'reads %s as expected',
      async (_name, { text, expectedPath }) => {
        const value = JSON.parse(text);
        const answer = atOnce(dialect.readAnswer(value));
        const read = {
          // The choices of an answer may be a getter of its class, which JSON does not show.
          answer: answer === undefined ? null : withChoices(answer, answer.choices),
          error: dialect.readError(value) ?? null,
        };
        await expect(golden(read)).toMatchFileSnapshot(expectedPath);
      },
    );

    const answers = fixturesOf(dialect, 'response.json').filter(({ name }) => !name.startsWith('error'));

    it.each(answers.map((one) => [one.name, one] as const))(
      'passes %s on with our field first and every other byte kept',
      (_name, { text }) => {
        const compact = JSON.stringify(JSON.parse(text));
        const adapted = atOnce(dialect.adaptAnswer(documentOf(compact), { logId: LOG_ID }));
        expect(adapted.text).toBe(`{"inference_log_id":"${LOG_ID}",${compact.slice(1)}`);
        expect(adapted.value).toEqual(JSON.parse(adapted.text));
      },
    );

    it.each(answers.map((one) => [one.name, one] as const))(
      'puts changed texts into %s',
      (_name, { text }) => {
        const document = documentOf(text);
        const answer = atOnce(dialect.readAnswer(document.value))!;
        const changed = {
          ...answer,
          choices: answer.choices.map(
            (choice) => changeTexts([choice], (old) => replaced(old, 'masked'))[0]!,
          ),
        };
        const adapted = atOnce(dialect.adaptAnswer(document, { logId: LOG_ID }, changed));
        expect(withoutOthers(atOnce(dialect.readAnswer(JSON.parse(adapted.text)))!)).toEqual(
          withoutOthers(changed),
        );
      },
    );

    it.each(answers.map((one) => [one.name, one] as const))(
      'writes %s so that it reads the same',
      (name, { text }) => {
        const answer = atOnce(dialect.readAnswer(JSON.parse(text)))!;
        const written = JSON.parse(atOnce(dialect.writeAnswer(answer, CONTEXT)));
        expect(written.inference_log_id).toBe(LOG_ID);
        const again = atOnce(dialect.readAnswer(written))!;
        // Parts that only this API knows are not in the neutral form. A tier of service is the provider's own.
        if (name === 'server-tool') expect(substance(again)).toEqual(substance(answer));
        else expect(withoutTier(again)).toEqual(withoutTier(answer));
      },
    );

    it('says a text letter by letter in its token probabilities alone', () => {
      const [one] = answers.filter(({ name }) => name === 'probabilities');
      // An API with such probabilities has a fixture of them.
      expect(one !== undefined).toBe(dialect.tokenProbabilities.length > 0);
      if (one === undefined) return;
      const [text] = substance(atOnce(dialect.readAnswer(JSON.parse(one.text)))!) as [string];
      expect(one.text).toContain('" Anna"');
      const texts = new Map([[text, 'Call <PERSON>.']]);
      const probabilities = dialect.tokenProbabilities;
      const { data } = atOnce(replaceRepeatedInFrame({ data: one.text }, { texts, probabilities }));
      expect(substance(atOnce(dialect.readAnswer(JSON.parse(data)))!)).toEqual(['Call <PERSON>.']);
      expect(data).not.toContain('Anna');
    });

    it('reads nothing into what is no answer', () => {
      const values: JsonValue[] = [null, 3, 'text', [], {}, { choices: 'x' }, { object: 'list', data: [] }];
      for (const value of values) {
        expect(atOnce(dialect.readAnswer(value))).toBeUndefined();
        expect(dialect.readError(value)).toBeUndefined();
      }
    });
  });
}

/** What only its own API knows changes with the texts in it. */
function withoutOthers(answer: Answer): Answer {
  const choices = answer.choices.map((choice) => ({
    ...choice,
    parts: choice.parts.filter((part) => part.type !== 'other'),
  }));
  return { ...answer, choices };
}
