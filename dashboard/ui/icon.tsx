/** The icons, as SVG strokes on a grid of 16 by 16. */
const PATHS = {
  logs: 'M2.5 4h11M2.5 8h11M2.5 12h7',
  queue: 'M2.5 3.5h11v6h-11zM4.5 12.5h7',
  overview: 'M2.5 13.5v-5M6.2 13.5v-9M9.8 13.5V7M13.5 13.5v-11',
  spend:
    'M8 2v12M10.8 4.6C10 3.9 9 3.6 8 3.6c-1.6 0-2.8.8-2.8 2.1 0 2.9 5.6 1.6 5.6 4.6 0 1.3-1.2 2.1-2.8 2.1-1.1 0-2.2-.4-3-1.2',
  pairs: 'M2.5 3h4.5v10H2.5zM9 3h4.5v10H9z',
  playground: 'M4.5 3l8 5-8 5z',
  exports: 'M8 2.5v8M4.8 7.5L8 10.7l3.2-3.2M2.5 13.5h11',
  projects: 'M2.5 4.5h4l1.3 1.5h5.7v7h-11z',
  audit: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM8 5v3.2l2.2 1.3',
  close: 'M4 4l8 8M12 4l-8 8',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.4 10.4l3.1 3.1',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  columns: 'M2.5 3h11v10h-11zM6.2 3v10M9.8 3v10',
  star: 'M8 2.5l1.7 3.5 3.8.5-2.8 2.7.7 3.8L8 11.2 4.6 13l.7-3.8-2.8-2.7 3.8-.5z',
  left: 'M10 3L5 8l5 5',
  right: 'M6 3l5 5-5 5',
  down: 'M3 6l5 5 5-5',
  sun: 'M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6zM8 1.5v1.4M8 13.1v1.4M1.5 8h1.4M13.1 8h1.4M3.4 3.4l1 1M11.6 11.6l1 1M3.4 12.6l1-1M11.6 4.4l1-1',
  moon: 'M13 9.6A5.5 5.5 0 0 1 6.4 3a5.5 5.5 0 1 0 6.6 6.6z',
  screen: 'M2.5 3.5h11v7h-11zM6 13.5h4',
  out: 'M6.5 3h-4v10h4M6 8h7.5M11 5.5L13.5 8 11 10.5',
  plus: 'M8 3v10M3 8h10',
  trash: 'M3 4.5h10M6.2 4.5V3h3.6v1.5M4.5 4.5l.6 8.5h5.8l.6-8.5',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  check: 'M3 8.5l3.3 3.3L13 5',
  pencil: 'M3 13l.6-2.8 7-7 2.2 2.2-7 7z',
  good: 'M2.5 7h2.4v6.5H2.5zM4.9 7.3L7.7 2.5c1 0 1.6.7 1.4 1.7L8.7 6.4h3.6c.9 0 1.5.8 1.3 1.7l-1 4.2c-.2.7-.8 1.2-1.5 1.2H4.9',
  bad: 'M2.5 9h2.4V2.5H2.5zM4.9 8.7l2.8 4.8c1 0 1.6-.7 1.4-1.7l-.4-2.2h3.6c.9 0 1.5-.8 1.3-1.7l-1-4.2c-.2-.7-.8-1.2-1.5-1.2H4.9',
  link: 'M6.5 9.5l3-3M7 4.5L8.6 3a2.5 2.5 0 0 1 3.5 3.5L10.5 8M9 11.5L7.4 13A2.5 2.5 0 0 1 4 9.5L5.5 8',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
