import type { Log } from '../api/client.ts';

type Json = Record<string, unknown>;

/** Whether a request of any API asks for an answer in JSON. */
export function asksForJson({ request }: Pick<Log, 'request'>): boolean {
  const body = objectOf(request);
  const formats = [
    objectOf(body.response_format).type,
    objectOf(objectOf(body.text).format).type,
    objectOf(objectOf(body.output_config).format).type,
  ];
  if (formats.some((type) => type === 'json_schema' || type === 'json_object')) return true;
  const config = objectOf(body.generationConfig ?? body.generation_config);
  return (config.responseMimeType ?? config.response_mime_type) === 'application/json';
}

function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}
