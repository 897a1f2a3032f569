import { useEffect, useState } from 'preact/hooks';

const phone = matchMedia('(max-width: 760px)');

/** Whether the page is as narrow as a phone. */
export function useNarrow(): boolean {
  const [narrow, setNarrow] = useState(phone.matches);
  useEffect(() => {
    const listener = () => setNarrow(phone.matches);
    phone.addEventListener('change', listener);
    return () => phone.removeEventListener('change', listener);
  }, []);
  return narrow;
}
