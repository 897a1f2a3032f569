import type { Log } from '../api/client.ts';

/** Notes for a reader of a log about texts that differ from what was really sent. */
export function keptNotes({
  request_kept,
  response_kept,
  client_response,
  client_response_kept,
}: Pick<Log, 'request_kept' | 'response_kept' | 'client_response' | 'client_response_kept'>): {
  request: string | undefined;
  response: string | undefined;
} {
  return { request: aboutRequest(request_kept), response: aboutAnswer() };

  function aboutAnswer(): string | undefined {
    if (client_response_kept === 'masked' && client_response === undefined) {
      return 'Placeholders stand for personal data. The client got this answer with the real data, which the log does not keep (`log_content: masked`).';
    }
    if (response_kept === 'masked') {
      return client_response === undefined
        ? 'A plugin changed this answer. This is what the client got; what the model said is not kept (`log_content: masked`).'
        : 'Personal data that a plugin found is masked here (`log_content: masked`).';
    }
    return undefined;
  }
}

function aboutRequest(kept: Log['request_kept']): string | undefined {
  switch (kept) {
    case 'masked':
      return 'A plugin changed or rejected this request. What the plugin found is masked here (`log_content: masked`).';
    case 'as_it_was':
      return 'This is the request as the client sent it. A plugin changed or rejected it, so the model did not get this text.';
    default:
      return undefined;
  }
}
