import { messageOf } from '../api/client.ts';
import { tell } from '../app/toasts.tsx';
import { Button } from '../ui/button.tsx';
import { patchLog, type Version } from './log-changes.ts';

export type Rating = '👍' | '👎';

/** Rates a log. The same rating a second time removes it. */
export async function rate(version: Version, rating: Rating): Promise<void> {
  const next = version.log.quality_rating === rating ? null : rating;
  const what = next === null ? 'The rating was removed.' : `Rated ${next}`;
  await patchLog(version, { quality_rating: next }, what).catch(tellFailure);
}

export function tellFailure(error: unknown): void {
  tell(messageOf(error), { tone: 'bad' });
}

export function RatingButtons({ version }: { version: Version }) {
  const { quality_rating } = version.log;
  return (
    <span class="button-group rating">
      <Button
        icon="good"
        label="Good (g)"
        pressed={quality_rating === '👍'}
        onClick={() => void rate(version, '👍')}
      />
      <Button
        icon="bad"
        label="Bad (b)"
        pressed={quality_rating === '👎'}
        onClick={() => void rate(version, '👎')}
      />
    </span>
  );
}
