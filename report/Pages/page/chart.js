// Models drawn by ECharts. Places on logarithmic axes are worked out here, so that all of its axes are linear.
import { init, use } from 'echarts/core';
import { CustomChart, LineChart } from 'echarts/charts';
import { DataZoomInsideComponent, GridComponent, TooltipComponent } from 'echarts/components';
import { SVGRenderer } from 'echarts/renderers';
import { element } from './page.js';
import { number, short, ticks, time } from './metrics.js';
import { heat, shown } from './figures.js';

use([CustomChart, LineChart, DataZoomInsideComponent, GridComponent, TooltipComponent, SVGRenderer]);

const wordHeight = 15, letterWidth = 6.8, longestNote = 120;
const symbols = { Circle: 'circle', Square: 'rect', Triangle: 'triangle', Diamond: 'diamond' };
const shades = [1, 0.72, 0.46, 0.26];

// A chart in an element. Zoomed is told the part of the axis that is shown, in percent.
export function chartIn(holder, zoomed) {
  const chart = init(holder, null, { renderer: 'svg' });
  chart.on('datazoom', () => {
    const { start, end } = chart.getOption().dataZoom[0];
    zoomed(start, end);
  });
  return {
    resize: width => chart.resize(width ? { width } : undefined),
    draw(model, log, zoom) {
      const page = look(model, log, holder.clientWidth, zoom);
      holder.style.height = page.height ? `${page.height}px` : '';
      chart.resize();
      chart.setOption(page.option, { notMerge: true });
    },
  };
}

const nameOf = metric => metric.isTime || metric.unit === 'µs' ? `${metric.title}` : `${metric.title}, ${metric.unit}`;

function look(model, log, width, zoom) {
  const css = getComputedStyle(document.documentElement);
  const of = name => css.getPropertyValue(`--${name}`).trim();
  const theme = { ground: of('ground'), text: of('text'), faint: of('faint'), line: of('line'), grid: of('grid'), floor: of('floor'),
    font: getComputedStyle(document.body).fontFamily };
  const colorOf = library => library.color ?? theme.floor;
  const made = { lines: linesOption, bars: barsOption, stacks: stacksOption, map: mapOption }[model.kind](
    { model, log, width, theme, colorOf, y: scaleOf(model, log) });
  return {
    height: made.height,
    option: {
      animation: false,
      backgroundColor: 'transparent',
      textStyle: { fontFamily: theme.font, color: theme.text },
      tooltip: {
        trigger: 'axis', confine: true, backgroundColor: theme.ground, borderColor: theme.line, borderWidth: 1,
        className: 'tip', textStyle: { color: theme.text, fontFamily: theme.font, fontSize: 13 }, transitionDuration: 0,
        axisPointer: { type: model.kind === 'lines' ? 'line' : 'shadow', snap: true, lineStyle: { color: theme.faint },
          shadowStyle: { color: theme.faint, opacity: 0.12 } },
        ...made.tooltip,
      },
      ...made.option,
      ...zoom && made.zooms !== false ? { dataZoom: [{
        type: 'inside', xAxisIndex: 0, start: zoom[0], end: zoom[1], filterMode: 'none', zoomOnMouseWheel: 'ctrl',
        moveOnMouseMove: true, moveOnMouseWheel: false, preventDefaultMouseMove: false, minSpan: 2,
      }] } : {},
    },
  };
}

// The places of values on the axis of the figures: logarithms, or from zero.
function scaleOf(model, log) {
  const points = model.lines.flatMap(line => line.points);
  const values = points.flatMap(point => [point.value, point.low, point.high]).concat(model.slo ?? null)
    .filter(value => value !== null && (!log || value > 0));
  const top = model.kind === 'stacks' ? Math.max(...model.lines.map(line => sum(line.points))) : Math.max(...values);
  const bottom = Math.min(...values);
  const format = model.metric.isTime || model.metric.unit === 'µs' ? time : short;
  if (!(top > 0) && !(bottom < 0)) return { at: value => value, min: 0, max: 1, ticks: [0], words: number };
  if (!log) {
    const [low, high] = [Math.min(0, bottom), Math.max(0, top) * 1.05];
    return { at: value => value, min: low, max: high, ticks: ticks(low, high, false), words: format };
  }
  const room = model.kind === 'bars' ? 2 : 1.25;
  const [low, high] = [bottom / room, top * 1.25];
  return {
    at: value => Math.log10(Math.max(value, low)), min: Math.log10(low), max: Math.log10(high),
    ticks: ticks(low, high, true).map(Math.log10), words: place => format(10 ** place),
  };
}

const sum = points => points.reduce((all, point) => all + point.value, 0);

function axis(theme, name, scale, more) {
  return {
    type: 'value', name, nameLocation: 'middle', nameTextStyle: { color: theme.faint, fontSize: 12 },
    min: scale.min, max: scale.max,
    axisLine: { show: true, onZero: false, lineStyle: { color: theme.line } },
    axisTick: { show: true, customValues: scale.ticks, lineStyle: { color: theme.line } },
    axisLabel: { customValues: scale.ticks, formatter: scale.words, color: theme.text, hideOverlap: true, fontSize: 12 },
    splitLine: { show: true, lineStyle: { color: theme.grid } },
    ...more,
  };
}

const axisY = (theme, model, y, log) =>
  axis(theme, nameOf(model.metric) + (log ? ' (log)' : ''), y, { nameGap: 12 + letterWidth * longest(y.ticks.map(y.words)) });

const longest = texts => Math.max(0, ...texts.map(text => text.length));

const category = (theme, name, data) => ({
  type: 'category', name, nameLocation: 'middle', nameGap: 28, nameTextStyle: { color: theme.faint, fontSize: 12 }, data,
  axisLine: { lineStyle: { color: theme.line } }, axisTick: { show: false }, axisLabel: { color: theme.text, fontSize: 12, hideOverlap: true },
});

// A table of what is under the pointer; nothing of it is read as markup.
function tip(title, rows, colorOf) {
  const table = element('table', {}, ...rows.map(({ name, library, value, note }) => {
    const dot = element('i');
    dot.style.setProperty('--of', colorOf(library));
    return element('tr', {}, element('th', {}, dot, name), element('td', { className: 'n' }, value),
      element('td', {}, note.length > longestNote ? note.slice(0, longestNote) + '…' : note));
  }));
  return element('div', {}, element('b', {}, title), table);
}

const bounded = (point, model) => (point.cell.lowerBound && model.metric.name === 'throughput_per_s' ? '≥ ' : '') + shown(point);
const inUnit = (words, model) => model.metric.unit ? `${words}: ${model.metric.unit}` : words;

const tipOf = (model, x, words, colorOf) => tip(inUnit(words(x), model), model.lines
  .map(line => ({ line, point: line.points.find(point => Math.abs(point.x - x) < 1e-6) })).filter(({ point }) => point)
  .sort((a, b) => b.point.value - a.point.value)
  .map(({ line, point }) => ({ library: line.library, name: line.library.label, value: bounded(point, model), note: point.cell.notes })), colorOf);

// An upright whisker with caps.
function whisker(x, low, high, color) {
  const stroke = { stroke: color, lineWidth: 1.2 };
  const line = (x1, y1, x2, y2) => ({ type: 'line', shape: { x1, y1, x2, y2 }, style: stroke, silent: true });
  return low === null || low === high ? [] : [line(x, low, x, high), line(x - 4, low, x + 4, low), line(x - 4, high, x + 4, high)];
}

// Places in pixels, ascending, moved apart to the least gap within bounds.
function spread(places, gap, top, bottom) {
  for (let i = 0; i < places.length; i++) places[i] = Math.max(places[i], i ? places[i - 1] + gap : top);
  let most = bottom;
  for (let i = places.length - 1; i >= 0; i--, most -= gap) {
    places[i] = Math.min(places[i], most);
    most = places[i];
  }
  return places;
}

function linesOption({ model, log, theme, colorOf, y }) {
  const at = model.xLog ? Math.log10 : value => value;
  const xs = model.xs.map(at);
  const [first, last] = [xs[0] ?? 0, xs.at(-1) ?? 1];
  const margin = last > first ? (last - first) * 0.04 : 0.5;
  const wordsOf = model.xWords ?? short;
  const rates = model.xLog && model.xs.length > 12;
  const xTicks = model.smooth ? Array.from({ length: Math.floor(last) + 1 }, (_, i) => i)
    : rates ? ticks(model.xs[0], model.xs.at(-1), true).map(at) : xs;
  const x = { min: first - (model.smooth ? 0 : margin), max: last + margin, ticks: xTicks,
    words: place => wordsOf(model.xLog ? 10 ** place : place) };
  const right = 16 + letterWidth * longest(model.lines.map(line => line.library.label));
  const series = model.lines.map(({ library, points }) => ({
    type: 'line', name: library.label, showSymbol: !model.smooth, symbol: symbols[library.shape], symbolSize: 9,
    color: colorOf(library), lineStyle: { width: 2, type: library.isFloor ? 'dashed' : 'solid', color: colorOf(library) },
    emphasis: { disabled: true }, clip: true,
    data: points.map(point => ({
      value: [at(point.x), y.at(point.value)],
      itemStyle: point.cell.lowerBound ? { color: theme.ground, borderColor: colorOf(library), borderWidth: 2 } : { color: colorOf(library) },
      ...point.cell.knee && model.knees ? { symbolSize: 15 } : {},
    })),
  }));
  const whiskers = {
    type: 'custom', silent: true, clip: true, tooltip: { show: false }, z: 3,
    data: model.lines.flatMap(line => line.points.filter(point => point.low !== null).map(point => [at(point.x), y.at(point.value)])),
    renderItem(params, api) {
      const point = whiskered[params.dataIndex];
      const place = value => api.coord([at(point.x), y.at(value)]);
      return { type: 'group', children: whisker(place(point.low)[0], place(point.low)[1], place(point.high)[1], colorOf(point.cell.library)) };
    },
  };
  const whiskered = model.lines.flatMap(line => line.points.filter(point => point.low !== null));
  return {
    option: {
      grid: { left: 72, right, top: 16, bottom: 48 },
      xAxis: axis(theme, model.xName + (model.xLog ? ' (log)' : ''), x, { nameGap: 30 }),
      yAxis: axisY(theme, model, y, log),
      series: [...series, whiskers, namesAtEnds(model, at, y, theme, colorOf), ...model.slo ? [sloLine(model, first, y, theme)] : []],
    },
    tooltip: { formatter: ([one]) => {
      const place = one?.value[0];
      const value = model.xs.find((_, i) => Math.abs(xs[i] - place) < 1e-9);
      return value === undefined ? '' : tipOf(model, value, of => model.xWords ? wordsOf(of) : `${wordsOf(of)} ${model.xName}`, colorOf);
    } },
  };
}

// The libraries' names beside the ends of their lines, apart from each other.
function namesAtEnds(model, at, y, theme, colorOf) {
  return {
    type: 'custom', silent: true, clip: false, tooltip: { show: false }, z: 4, data: model.lines.length ? [[0, 0]] : [],
    renderItem(params, api) {
      const { x, y: top, width, height } = params.coordSys;
      const ends = model.lines.map(line => ({ line, point: line.points.at(-1) }))
        .map(({ line, point }) => ({ library: line.library, end: api.coord([at(point.x), y.at(point.value)]) }))
        .filter(({ end }) => end[0] >= x - 1 && end[0] <= x + width + 1).sort((a, b) => a.end[1] - b.end[1]);
      const right = x + width + 9;
      const places = spread(ends.map(({ end }) => end[1]), wordHeight, top, top + height);
      // Where a line ends early its name stands there.
      const early = ends.map(({ end }) => end[0] < x + 0.85 * width);
      return { type: 'group', children: ends.flatMap(({ library, end }, i) => [
        ...early[i] ? [] : [{ type: 'line', shape: { x1: end[0], y1: end[1], x2: right - 3, y2: places[i] },
          style: { stroke: colorOf(library), lineWidth: 0.8 } }],
        { type: 'text', x: early[i] ? end[0] + 10 : right, y: early[i] ? end[1] : places[i], style: { fontFamily: theme.font, text: library.label, fill: theme.text,
          verticalAlign: 'middle', fontSize: 12 } },
      ]) };
    },
  };
}

const sloLine = (model, first, y, theme) => ({
  type: 'custom', silent: true, clip: true, tooltip: { show: false }, z: 1, data: [[first, y.at(model.slo)]],
  renderItem(params, api) {
    const { x, width } = params.coordSys;
    const level = api.coord([first, y.at(model.slo)])[1];
    return { type: 'group', children: [
      { type: 'line', shape: { x1: x, y1: level, x2: x + width, y2: level }, style: { stroke: theme.text, lineWidth: 1, lineDash: [5, 4] } },
      { type: 'text', x: x + 6, y: level - 4, style: { fontFamily: theme.font, text: `SLO: ${time(model.slo)}`, fill: theme.text, verticalAlign: 'bottom', fontSize: 12 } },
    ] };
  },
});

function barsOption({ model, log, theme, colorOf, y }) {
  const libraries = model.lines.map(line => line.library);
  const series = model.lines.map((line, place) => ({
    type: 'custom', clip: true, data: line.points.map(point => [model.xs.indexOf(point.x), y.at(point.value)]), encode: { x: 0, y: 1 },
    renderItem(params, api) {
      const point = line.points[params.dataIndex];
      const [middle, top] = api.coord([model.xs.indexOf(point.x), y.at(point.value)]);
      const base = api.coord([0, Math.max(y.min, log ? y.min : 0)])[1];
      const room = Math.min(0.84 * api.size([1, 0])[0], 90 * libraries.length) / libraries.length;
      const left = middle + (place - libraries.length / 2) * room;
      const color = colorOf(line.library);
      const wide = room > letterWidth * number(point.value).length;
      const low = point.low === null ? null : api.coord([0, y.at(point.low)])[1];
      const high = point.low === null ? null : api.coord([0, y.at(point.high)])[1];
      return { type: 'group', children: [
        { type: 'rect', shape: { x: left + room * 0.06, y: Math.min(top, base), width: room * 0.88, height: Math.abs(base - top) },
          style: point.cell.lowerBound ? { fill: theme.ground, stroke: color, lineWidth: 2 }
            : { fill: color, stroke: color, lineWidth: 1, ...line.library.isFloor ? { fillOpacity: 0.55, lineDash: [4, 3] } : {} } },
        ...whisker(left + room / 2, low, high, theme.text),
        ...wide ? [{ type: 'text', x: left + room / 2, y: Math.min(top, high ?? top) - 4, silent: true,
          style: { fontFamily: theme.font, text: number(point.value), fill: theme.text, align: 'center', verticalAlign: 'bottom', fontSize: 11 } }] : [],
      ] };
    },
  }));
  return {
    option: {
      grid: { left: 72, right: 16, top: 24, bottom: 48 },
      xAxis: category(theme, model.xName, model.xs.map(short)), yAxis: axisY(theme, model, y, log), series,
    },
    tooltip: { formatter: ([one]) => tipOf(model, model.xs[one.value[0]], of => `${short(of)} ${model.xName}`, colorOf) },
  };
}

function stacksOption({ model, theme, colorOf, y, width }) {
  const lines = [...model.lines].sort((a, b) => sum(b.points) - sum(a.points));
  const left = Math.min(16 + letterWidth * longest(lines.map(line => line.library.label)), 0.4 * width);
  return {
    height: 90 + 34 * Math.max(lines.length, 1),
    zooms: false,
    option: {
      grid: { left, right: 60, top: 12, bottom: 48 },
      xAxis: axis(theme, nameOf(model.metric), y, { nameGap: 30 }),
      yAxis: { ...category(theme, '', lines.map(line => line.library.label)),
        axisLabel: { color: theme.text, fontSize: 12, width: left - 14, overflow: 'truncate' } },
      series: [{
        type: 'custom', data: lines.map((line, i) => [sum(line.points), i]), encode: { x: 0, y: 1 },
        renderItem(params, api) {
          const line = lines[params.dataIndex];
          const height = 0.66 * api.size([0, 1])[1];
          const color = colorOf(line.library);
          let from = 0;
          const boxes = line.points.map((point, part) => {
            const [x, middle] = api.coord([from, params.dataIndex]);
            from += point.value;
            return { type: 'rect', shape: { x, y: middle - height / 2, width: api.coord([from, 0])[0] - x, height },
              style: { fill: color, fillOpacity: shades[part], stroke: theme.ground, lineWidth: 1 } };
          });
          const [end, middle] = api.coord([from, params.dataIndex]);
          return { type: 'group', children: [...boxes, { type: 'text', x: end + 6, y: middle, silent: true,
            style: { fontFamily: theme.font, text: number(from), fill: theme.text, verticalAlign: 'middle', fontSize: 12 } }] };
        },
      }],
    },
    tooltip: { formatter: ([one]) => {
      const line = lines[one.dataIndex];
      return tip(inUnit(line.library.label, model), line.points.map((point, part) => ({ library: line.library, name: model.parts[part],
        value: point.missing ? 'n/a' : bounded(point, model), note: '' })), colorOf);
    } },
  };
}

// A field for each load, of a panel for each library; the fuller, the more.
function mapOption({ model, log, theme, width }) {
  const rows = [...new Set(model.lines.flatMap(line => line.points.map(point => point.cell.clients)))].sort((a, b) => a - b);
  const columns = model.xs;
  const across = Math.max(1, Math.min(model.lines.length, Math.floor(width / Math.max(240, 70 + 62 * columns.length))));
  const [panelWidth, panelHeight] = [width / across, 76 + 30 * rows.length];
  const values = model.lines.flatMap(line => line.points.map(point => point.value));
  const positive = values.filter(value => value > 0);
  const place = log && positive.length ? value => Math.log10(Math.max(value, Math.min(...positive))) : value => value;
  const [least, most] = [place(Math.min(...values)), place(Math.max(...values))];
  const fill = value => most > least ? (place(value) - least) / (most - least) : 1;
  const grids = model.lines.map((_, i) => ({ left: (i % across) * panelWidth + 62, width: panelWidth - 74,
    top: Math.floor(i / across) * panelHeight + 26, height: 30 * rows.length }));
  return {
    height: panelHeight * Math.ceil(model.lines.length / across) + 6,
    zooms: false,
    option: {
      grid: grids,
      xAxis: grids.map((_, gridIndex) => ({ ...category(theme, model.xName, columns.map(short)), gridIndex, nameGap: 24 })),
      yAxis: grids.map((_, gridIndex) => ({ ...category(theme, model.yName, rows.map(short)), gridIndex, nameGap: 40 })),
      series: model.lines.map((line, i) => ({
        type: 'custom', xAxisIndex: i, yAxisIndex: i, encode: { x: 0, y: 1 }, name: line.library.label,
        data: line.points.map(point => [columns.indexOf(point.x), rows.indexOf(point.cell.clients)]),
        renderItem(params, api) {
          const point = line.points[params.dataIndex];
          const [x, y] = api.coord([columns.indexOf(point.x), rows.indexOf(point.cell.clients)]);
          const [fieldWidth, fieldHeight] = api.size([1, 1]);
          const color = heatAt(fill(point.value));
          const { x: left, y: top } = params.coordSys;
          return { type: 'group', children: [
            { type: 'rect', shape: { x: x - fieldWidth / 2 + 1, y: y - fieldHeight / 2 + 1, width: fieldWidth - 2, height: fieldHeight - 2 },
              style: { fill: `rgb(${color.join(',')})`, ...point.cell.lowerBound
                ? { stroke: theme.text, lineDash: [3, 3], lineWidth: 1 } : {} } },
            { type: 'text', x, y, silent: true, style: { fontFamily: theme.font, text: number(point.value), align: 'center', verticalAlign: 'middle', fontSize: 11,
              fill: luminance(color) > 0.179 ? '#000000' : '#ffffff' } },
            ...params.dataIndex === 0 ? [{ type: 'text', x: left, y: top - 8, silent: true,
              style: { fontFamily: theme.font, text: line.library.label, fill: theme.text, fontWeight: 600, fontSize: 13, verticalAlign: 'bottom' } }] : [],
          ] };
        },
      })),
    },
    tooltip: { trigger: 'item', formatter: one => {
      const line = model.lines[one.seriesIndex];
      const point = line.points[one.dataIndex];
      return tip(inUnit(`${short(point.cell.clients)} clients x ${short(point.x)} in flight`, model), [{ library: line.library, name: line.library.label,
        value: bounded(point, model), note: point.cell.notes }], library => library.color ?? theme.floor);
    } },
  };
}

// The channels of the scale's colour at a place from 0 to 1.
function heatAt(place) {
  const at = place * (heat.length - 1);
  const below = Math.min(Math.floor(at), heat.length - 2);
  const channels = color => [1, 3, 5].map(i => parseInt(color.slice(i, i + 2), 16));
  const above = channels(heat[below + 1]);
  return channels(heat[below]).map((channel, i) => Math.round(channel + (above[i] - channel) * (at - below)));
}

// As WCAG has it: above 0.179 black stands out more, below white.
const luminance = channels => channels.map(channel => channel / 255)
  .map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
  .reduce((sum, part, i) => sum + part * [0.2126, 0.7152, 0.0722][i], 0);
