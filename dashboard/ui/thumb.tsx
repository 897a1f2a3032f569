import { Icon } from './icon.tsx';

/** A rating as a drawing, because not every system has a font with thumbs. */
export function Thumb({ rating }: { rating: '👍' | '👎' }) {
  const isGood = rating === '👍';
  return (
    <span class={isGood ? 'thumb good' : 'thumb bad'}>
      <Icon name={isGood ? 'good' : 'bad'} />
      <span class="hidden">{isGood ? 'Good' : 'Bad'}</span>
    </span>
  );
}
