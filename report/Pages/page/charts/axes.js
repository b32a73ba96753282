// What the kinds of charts have in common. Places on logarithmic axes are worked out here, so that all of ECharts' axes
// are linear.
import { element } from '../page.js';
import { isRate, number, short, ticks, time } from '../metrics.js';
import { shown } from '../figures.js';

export const letterWidth = 6.8;
const longestNote = 120;

export const nameOf = metric =>
  metric.isTime || metric.unit === 'µs' ? `${metric.title}` : `${metric.title}, ${metric.unit}`;

// The places of values on the axis of the figures: logarithms, or from zero.
export function scaleOf(model, log) {
  const points = model.lines.flatMap(line => line.points);
  const values = points
    .flatMap(point => [point.value, point.low, point.high])
    .concat(model.level?.value ?? null)
    .filter(value => value !== null && (!log || value > 0));
  const top = model.kind === 'stacks' ? Math.max(...model.lines.map(line => sum(line.points))) : Math.max(...values);
  const bottom = Math.min(...values);
  const format = model.metric.isTime || model.metric.unit === 'µs' ? time : short;
  if (!(top > 0) && !(bottom < 0)) {
    return { at: value => value, min: 0, max: 1, ticks: [0], words: number };
  }
  if (!log) {
    const low = Math.min(0, bottom);
    const high = Math.max(0, top) * 1.05;
    return { at: value => value, min: low, max: high, ticks: ticks(low, high, false), words: format };
  }
  const room = model.kind === 'bars' ? 2 : 1.25;
  const low = bottom / room;
  const high = top * 1.25;
  return {
    at: value => Math.log10(Math.max(value, low)),
    min: Math.log10(low),
    max: Math.log10(high),
    ticks: ticks(low, high, true).map(Math.log10),
    words: place => format(10 ** place),
  };
}

export const sum = points => points.reduce((all, point) => all + point.value, 0);

export function axis(theme, name, scale, more) {
  return {
    type: 'value',
    name,
    nameLocation: 'middle',
    nameTextStyle: { color: theme.faint, fontSize: 12 },
    min: scale.min,
    max: scale.max,
    axisLine: { show: true, onZero: false, lineStyle: { color: theme.line } },
    axisTick: { show: true, customValues: scale.ticks, lineStyle: { color: theme.line } },
    axisLabel: {
      customValues: scale.ticks,
      formatter: scale.words,
      color: theme.text,
      hideOverlap: true,
      fontSize: 12,
    },
    splitLine: { show: true, lineStyle: { color: theme.grid } },
    ...more,
  };
}

export const axisY = (theme, model, y, log) =>
  axis(theme, nameOf(model.metric) + (log ? ' (log)' : ''), y, {
    nameGap: 12 + letterWidth * longest(y.ticks.map(y.words)),
  });

export const longest = texts => Math.max(0, ...texts.map(text => text.length));

export const category = (theme, name, data) => ({
  type: 'category',
  name,
  nameLocation: 'middle',
  nameGap: 28,
  nameTextStyle: { color: theme.faint, fontSize: 12 },
  data,
  axisLine: { lineStyle: { color: theme.line } },
  axisTick: { show: false },
  axisLabel: { color: theme.text, fontSize: 12, hideOverlap: true },
});

// A table of what is under the pointer; nothing of it is read as markup.
export function tip(title, rows, colorOf) {
  const table = element(
    'table',
    {},
    ...rows.map(({ name, library, value, note }) => {
      const dot = element('i');
      dot.style.setProperty('--of', colorOf(library));
      return element(
        'tr',
        {},
        element('th', {}, dot, name),
        element('td', { className: 'n' }, value),
        element('td', {}, note.length > longestNote ? note.slice(0, longestNote) + '…' : note),
      );
    }),
  );
  return element('div', {}, element('b', {}, title), table);
}

export const bounded = (point, model) => (point.cell.lowerBound && isRate(model.metric) ? '≥ ' : '') + shown(point);
export const inUnit = (words, model) => (model.metric.unit ? `${words}: ${model.metric.unit}` : words);

export const tipOf = (model, x, words, colorOf) =>
  tip(
    inUnit(words(x), model),
    model.lines
      .map(line => ({ line, point: line.points.find(point => Math.abs(point.x - x) < 1e-6) }))
      .filter(({ point }) => point)
      .sort((a, b) => b.point.value - a.point.value)
      .map(({ line, point }) => ({
        library: line.library,
        name: line.library.label,
        value: bounded(point, model),
        note: point.cell.notes,
      })),
    colorOf,
  );

// Words at a place, in the page's letters.
export const textAt = (theme, x, y, text, style) => ({
  type: 'text',
  x,
  y,
  silent: true,
  style: { fontFamily: theme.font, text, fill: theme.text, verticalAlign: 'middle', fontSize: 12, ...style },
});

// A whisker with caps, upright or lying.
export const whisker = (x, low, high, color) => whiskerOf(low, high, color, (across, along) => [x + across, along]);

export const lyingWhisker = (y, low, high, color) =>
  whiskerOf(low, high, color, (across, along) => [along, y + across]);

function whiskerOf(low, high, color, at) {
  const stroke = { stroke: color, lineWidth: 1.2 };
  const line = ([x1, y1], [x2, y2]) => ({ type: 'line', shape: { x1, y1, x2, y2 }, style: stroke, silent: true });
  return low === null || low === high
    ? []
    : [line(at(0, low), at(0, high)), line(at(-4, low), at(4, low)), line(at(-4, high), at(4, high))];
}
