import { useEffect, useRef } from 'preact/hooks';
import type uPlot from 'uplot';
import { shownTheme } from '../app/theme.ts';
import { lonelyValues } from './points.ts';

export interface Line {
  name: string;
  /** The name of the CSS variable with the line's colour. */
  colour: string;
  values: (number | null)[];
  filled?: boolean;
  /** The filter that, together with a time, finds the logs behind a point. */
  filter?: [name: string, value: string][];
}

interface ChartProps {
  title: string;
  /** Milliseconds since 1970. */
  times: number[];
  lines: Line[];
  format: (value: number) => string;
  /** Called when the reader chooses a point. Gets the point's number and the line next to the pointer, if any. */
  onPoint?: (index: number, line: Line | undefined) => void;
}

const HEIGHT = 170;

/** Draws lines over time. The library is loaded with the first chart. */
export function Chart({ title, times, lines, format, onPoint }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const latest = useRef(onPoint);
  latest.current = onPoint;
  const isEmpty = lines.every(({ values }) => values.every((value) => value === null));
  useEffect(() => {
    if (isEmpty) return;
    const element = place.current as HTMLDivElement;
    let plot: uPlot | undefined;
    let gone = false;
    const draw = async () => {
      const { default: Plot } = await import('uplot');
      if (gone) return;
      plot?.destroy();
      const data = [times.map((at) => at / 1000), ...lines.map(({ values }) => values)] as uPlot.AlignedData;
      plot = new Plot(optionsFor({ lines, format, width: element.clientWidth }), data, element);
      plot.over.addEventListener('click', () => {
        const index = plot?.cursor.idx;
        if (index !== undefined && index !== null)
          latest.current?.(index, nearestLine(plot as uPlot, lines, index));
      });
    };
    void draw();
    const observer = new ResizeObserver(() => {
      if (plot && plot.width !== element.clientWidth)
        plot.setSize({ width: element.clientWidth, height: HEIGHT });
    });
    observer.observe(element);
    // The colours are read while it is drawn, so another theme needs another drawing.
    const stopTheme = shownTheme.listen(() => void draw());
    return () => {
      gone = true;
      observer.disconnect();
      stopTheme();
      plot?.destroy();
    };
  }, [times, lines]);
  return (
    <figure class={onPoint ? 'chart leads' : 'chart'}>
      <figcaption>{title}</figcaption>
      {isEmpty ? (
        <p class="muted">No data in this time range.</p>
      ) : (
        <div ref={place} class="chart-place" aria-hidden="true" />
      )}
    </figure>
  );
}

const NEAR_PX = 20;

/** The line nearest to the pointer; the first one where several are equally near. */
function nearestLine(plot: uPlot, lines: Line[], index: number): Line | undefined {
  const top = plot.cursor.top ?? 0;
  let nearest: { line: Line; distance: number } | undefined;
  for (const line of lines) {
    const value = line.values[index];
    if (value === null || value === undefined) continue;
    const distance = Math.abs(plot.valToPos(value, 'y') - top);
    if (distance <= NEAR_PX && distance < (nearest?.distance ?? Number.POSITIVE_INFINITY)) {
      nearest = { line, distance };
    }
  }
  return nearest?.line;
}

interface PlotWish extends Pick<ChartProps, 'lines' | 'format'> {
  width: number;
}

function optionsFor({ lines, format, width }: PlotWish): uPlot.Options {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const axis = {
    stroke: colour('--text-muted'),
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { show: false },
    font: '11px system-ui, sans-serif',
  };
  return {
    width,
    height: HEIGHT,
    cursor: { points: { size: 7 }, drag: { x: false, y: false } },
    legend: { live: true },
    scales: {
      x: { time: true },
      y: { range: (_plot, min, max) => [Math.min(0, min * 1.1), Math.max(max * 1.1, 1e-9)] },
    },
    axes: [
      { ...axis, grid: { show: false } },
      { ...axis, size: 56, values: (_plot, ticks) => ticks.map(format) },
    ],
    series: [
      {},
      ...lines.map(({ name, colour: variable, filled }) => ({
        label: name,
        stroke: colour(variable),
        width: 1.5,
        fill: filled ? `${colour(variable)}22` : undefined,
        points: {
          size: 4,
          filter: (plot: uPlot, index: number, showsAll: boolean) =>
            showsAll ? null : lonelyValues(plot.data[index] ?? []),
        },
        spanGaps: false,
        value: (_plot: uPlot, value: number | null) => (value === null ? '–' : format(value)),
      })),
    ],
  };
}
