import { formatExactly, formatMoment } from './format.ts';

export function Moment({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatExactly(at)}>
      {formatMoment(at)}
    </time>
  );
}
