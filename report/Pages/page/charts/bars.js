// Bars: a group of them for each load, or one of a library, which may be in parts.
import {
  axis,
  axisY,
  bounded,
  category,
  inUnit,
  letterWidth,
  longest,
  lyingWhisker,
  nameOf,
  sum,
  textAt,
  tip,
  tipOf,
  whisker,
} from './axes.js';
import { levelLine } from './lines.js';
import { number, short } from '../metrics.js';

const shades = [1, 0.72, 0.46, 0.26];

export function barsOption({ model, log, theme, colorOf, y }) {
  const libraries = model.lines.map(line => line.library);
  const series = model.lines.map((line, place) => ({
    type: 'custom',
    clip: true,
    data: line.points.map(point => [model.xs.indexOf(point.x), y.at(point.value)]),
    encode: { x: 0, y: 1 },
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
      const hollow = { fill: theme.ground, stroke: color, lineWidth: 2 };
      const full = { fill: color, stroke: color, lineWidth: 1 };
      if (line.library.isPlain) {
        Object.assign(full, { fillOpacity: 0.55, lineDash: [4, 3] });
      } else if (line.library.pattern !== 'Solid') {
        Object.assign(full, { fillOpacity: line.library.pattern === 'Dotted' ? 0.55 : 0.2 });
      }
      const style = { align: 'center', verticalAlign: 'bottom', fontSize: 11 };
      const figureText = textAt(theme, left + room / 2, Math.min(top, high ?? top) - 4, number(point.value), style);
      return {
        type: 'group',
        children: [
          {
            type: 'rect',
            shape: {
              x: left + room * 0.06,
              y: Math.min(top, base),
              width: room * 0.88,
              height: Math.abs(base - top),
            },
            style: point.cell.lowerBound ? hollow : full,
          },
          ...whisker(left + room / 2, low, high, theme.text),
          ...(wide ? [figureText] : []),
        ],
      };
    },
  }));
  return {
    option: {
      grid: { left: 72, right: 16, top: 24, bottom: 48 },
      xAxis: category(theme, model.xName, model.xs.map(short)),
      yAxis: axisY(theme, model, y, log),
      series: [...series, ...(model.level ? [levelLine(model.level, 0, y, theme)] : [])],
    },
    tooltip: {
      formatter: ([one]) => tipOf(model, model.xs[one.value[0]], of => `${short(of)} ${model.xName}`, colorOf),
    },
  };
}

export function stacksOption({ model, theme, colorOf, y, width }) {
  const lines = [...model.lines].sort((a, b) => sum(b.points) - sum(a.points));
  const labels = lines.map(line => line.library.label);
  const left = Math.min(16 + letterWidth * longest(labels), 0.4 * width);
  return {
    height: 90 + 34 * Math.max(lines.length, 1),
    zooms: false,
    option: {
      grid: { left, right: 60, top: 12, bottom: 48 },
      xAxis: axis(theme, nameOf(model.metric), y, { nameGap: 30 }),
      yAxis: {
        ...category(theme, '', labels),
        axisLabel: { color: theme.text, fontSize: 12, width: left - 14, overflow: 'truncate' },
      },
      series: [
        {
          type: 'custom',
          data: lines.map((line, i) => [sum(line.points), i]),
          encode: { x: 0, y: 1 },
          renderItem(params, api) {
            const line = lines[params.dataIndex];
            const height = 0.66 * api.size([0, 1])[1];
            const color = colorOf(line.library);
            let from = 0;
            const boxes = line.points.map((point, part) => {
              const [x, middle] = api.coord([from, params.dataIndex]);
              from += point.value;
              return {
                type: 'rect',
                shape: { x, y: middle - height / 2, width: api.coord([from, 0])[0] - x, height },
                style: { fill: color, fillOpacity: shades[part], stroke: theme.ground, lineWidth: 1 },
              };
            });
            const { low, high, cell } = line.points[0];
            const [end, middle] = api.coord([Math.max(from, high ?? 0), params.dataIndex]);
            if (cell.lowerBound && !model.parts) {
              Object.assign(boxes[0].style, { fill: theme.ground, stroke: color, lineWidth: 2 });
            }
            return {
              type: 'group',
              children: [
                ...boxes,
                ...(model.parts || low === null
                  ? []
                  : lyingWhisker(middle, api.coord([low, 0])[0], api.coord([high, 0])[0], theme.text)),
                textAt(theme, end + 6, middle, number(from)),
              ],
            };
          },
        },
      ],
    },
    tooltip: {
      formatter: ([one]) => {
        const line = lines[one.dataIndex];
        return tip(
          inUnit(line.library.label, model),
          line.points.map((point, part) => ({
            library: line.library,
            name: model.parts?.[part] ?? model.metric.title,
            value: point.missing ? 'n/a' : bounded(point, model),
            note: '',
          })),
          colorOf,
        );
      },
    },
  };
}
