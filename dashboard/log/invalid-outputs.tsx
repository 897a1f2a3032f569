import type { Log } from '../api/client.ts';
import { invalidPieces } from './invalid-pieces.ts';

/** The outputs that do not match the schema, as far as the log keeps them. */
export function InvalidOutputs({ log }: { log: Log }) {
  return (
    <>
      {log.attempts.map(({ provider, model, error }, index) =>
        error?.output === undefined ? null : (
          <details key={index} class="fold invalid-output" open={log.status === 'invalid_output'}>
            <summary>
              Invalid output of {provider}/{model}: {error.message}
              {error.path && (
                <>
                  {' at '}
                  <code>{error.path}</code>
                </>
              )}
            </summary>
            <pre tabIndex={0}>
              {invalidPieces(error.output, error.path ?? '').map(({ text, wrong }, at) =>
                wrong ? <mark key={at}>{text}</mark> : text,
              )}
            </pre>
          </details>
        ),
      )}
    </>
  );
}
