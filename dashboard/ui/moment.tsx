import { formatExactly, formatMoment } from './format.ts';

export function Moment({ at }: { at: string }) {
  return (
    // The exact moment is written when somebody asks for it: for each row of a table it would cost too much.
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
