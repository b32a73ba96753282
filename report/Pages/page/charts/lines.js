// Lines of libraries against an axis of numbers, named at their ends.
import { axis, axisY, letterWidth, longest, textAt, tipOf, whisker } from './axes.js';
import { short, ticks } from '../metrics.js';

const wordHeight = 15;
const symbols = { Circle: 'circle', Square: 'rect', Triangle: 'triangle', Diamond: 'diamond' };

// Dashes are the baselines' alone.
const patterns = { Solid: 'solid', Dashed: 'dashed', Dotted: [2, 3], DashDotted: [12, 3, 2, 3] };

export function linesOption({ model, log, theme, colorOf, y, width }) {
  const at = model.xLog ? Math.log10 : value => value;
  const xs = model.xs.map(at);
  const first = xs[0] ?? 0;
  const last = xs.at(-1) ?? 1;
  const margin = last > first ? (last - first) * 0.04 : 0.5;
  const wordsOf = model.xWords ?? short;
  let xTicks = xs;
  if (model.smooth) {
    xTicks = Array.from({ length: Math.floor(last) + 1 }, (_, i) => i);
  } else if (model.xLog && model.xs.length > 12) {
    xTicks = ticks(model.xs[0], model.xs.at(-1), true).map(at);
  }
  const x = {
    min: first - (model.smooth ? 0 : margin),
    max: last + margin,
    ticks: xTicks,
    words: place => wordsOf(model.xLog ? 10 ** place : place),
  };
  const right = Math.min(16 + letterWidth * longest(model.lines.map(line => line.library.label)), 0.45 * width);
  const series = model.lines.map(({ library, points }) => ({
    type: 'line',
    name: library.label,
    showSymbol: !model.smooth,
    symbol: symbols[library.shape],
    symbolSize: 9,
    color: colorOf(library),
    lineStyle: { width: 2, type: patterns[library.pattern], color: colorOf(library) },
    emphasis: { disabled: true },
    clip: true,
    data: points.map(point => ({
      value: [at(point.x), y.at(point.value)],
      itemStyle: point.cell.lowerBound
        ? { color: theme.ground, borderColor: colorOf(library), borderWidth: 2 }
        : { color: colorOf(library) },
      ...(point.cell.knee && model.knees ? { symbolSize: 15 } : {}),
    })),
  }));
  const whiskered = model.lines.flatMap(line => line.points.filter(point => point.low !== null));
  const whiskers = {
    type: 'custom',
    silent: true,
    clip: true,
    tooltip: { show: false },
    z: 3,
    data: whiskered.map(point => [at(point.x), y.at(point.value)]),
    renderItem(params, api) {
      const point = whiskered[params.dataIndex];
      const [x, low] = api.coord([at(point.x), y.at(point.low)]);
      const [, high] = api.coord([at(point.x), y.at(point.high)]);
      return { type: 'group', children: whisker(x, low, high, colorOf(point.cell.library)) };
    },
  };
  return {
    option: {
      grid: { left: 72, right, top: 16, bottom: 48 },
      xAxis: axis(theme, model.xName + (model.xLog ? ' (log)' : ''), x, { nameGap: 30 }),
      yAxis: axisY(theme, model, y, log),
      series: [
        ...series,
        whiskers,
        namesAtEnds(model, at, y, theme, colorOf, right),
        ...(model.level ? [levelLine(model.level, first, y, theme)] : []),
      ],
    },
    tooltip: {
      formatter: ([one]) => {
        const place = one?.value[0];
        const value = model.xs.find((_, i) => Math.abs(xs[i] - place) < 1e-9);
        if (value === undefined) {
          return '';
        }
        const words = of => (model.xWords ? wordsOf(of) : `${wordsOf(of)} ${model.xName}`);
        return tipOf(model, value, words, colorOf);
      },
    },
  };
}

// The libraries' names beside the ends of their lines, apart from each other.
function namesAtEnds(model, at, y, theme, colorOf, room) {
  return {
    type: 'custom',
    silent: true,
    clip: false,
    tooltip: { show: false },
    z: 4,
    data: model.lines.length ? [[0, 0]] : [],
    renderItem(params, api) {
      const { x, y: top, width, height } = params.coordSys;
      const ends = model.lines
        .map(line => ({ line, point: line.points.at(-1) }))
        .map(({ line, point }) => ({ library: line.library, end: api.coord([at(point.x), y.at(point.value)]) }))
        .filter(({ end }) => end[0] >= x - 1 && end[0] <= x + width + 1)
        .sort((a, b) => a.end[1] - b.end[1]);
      const right = x + width + 9;
      const places = spread(
        ends.map(({ end }) => end[1]),
        wordHeight,
        top,
        top + height,
      );
      // Where a line ends early its name stands there.
      const early = ends.map(({ end }) => end[0] < x + 0.85 * width);
      return {
        type: 'group',
        children: ends.flatMap(({ library, end }, i) => [
          ...(early[i]
            ? []
            : [
                {
                  type: 'line',
                  shape: { x1: end[0], y1: end[1], x2: right - 3, y2: places[i] },
                  style: { stroke: colorOf(library), lineWidth: 0.8 },
                },
              ]),
          textAt(theme, early[i] ? end[0] + 10 : right, early[i] ? end[1] : places[i], library.label, {
            width: room - 12,
            overflow: 'truncate',
          }),
        ]),
      };
    },
  };
}

// A figure that the others are held against.
export const levelLine = (level, first, y, theme) => ({
  type: 'custom',
  silent: true,
  clip: true,
  tooltip: { show: false },
  z: 1,
  data: [[first, y.at(level.value)]],
  renderItem(params, api) {
    const { x, width } = params.coordSys;
    const height = api.coord([first, y.at(level.value)])[1];
    return {
      type: 'group',
      children: [
        {
          type: 'line',
          shape: { x1: x, y1: height, x2: x + width, y2: height },
          style: { stroke: theme.text, lineWidth: 1, lineDash: [5, 4] },
        },
        textAt(theme, x + 6, height - 4, level.words, { verticalAlign: 'bottom' }),
      ],
    };
  },
});

// Places in pixels, ascending, moved apart to the least gap within bounds.
function spread(places, gap, top, bottom) {
  for (let i = 0; i < places.length; i++) {
    const least = i === 0 ? top : places[i - 1] + gap;
    places[i] = Math.max(places[i], least);
  }
  let most = bottom;
  for (let i = places.length - 1; i >= 0; i--) {
    places[i] = Math.min(places[i], most);
    most = places[i] - gap;
  }
  return places;
}
