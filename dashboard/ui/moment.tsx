import { formatExactly, formatMoment } from './format.ts';

export function Moment({ at }: { at: string }) {
  return (
    // The exact moment is only written on hover, because it would cost too much in each row of a table.
    <time
      dateTime={at}
      onMouseEnter={(event) => {
        event.currentTarget.title = formatExactly(at);
      }}
    >
      {formatMoment(at)}
    </time>
  );
}
