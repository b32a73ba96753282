// Fields of a heat map.
import { bounded, category, inUnit, textAt, tip } from './axes.js';
import { number, short } from '../metrics.js';

// Cividis, which looks the same to colour-blind readers, in equal steps.
const heat = [
  '#00224e',
  '#123570',
  '#3b496c',
  '#575d6d',
  '#707173',
  '#8a8678',
  '#a59c74',
  '#c3b369',
  '#e1cc55',
  '#fee838',
];

// A field for each load, of a panel for each library; the fuller, the more.
export function mapOption({ model, log, theme, width }) {
  const clients = model.lines.flatMap(line => line.points.map(point => point.cell.clients));
  const rows = [...new Set(clients)].sort((a, b) => a - b);
  const columns = model.xs;
  const leastWidth = Math.max(240, 70 + 62 * columns.length);
  const across = Math.max(1, Math.min(model.lines.length, Math.floor(width / leastWidth)));
  const panelWidth = width / across;
  const panelHeight = 76 + 30 * rows.length;
  const values = model.lines.flatMap(line => line.points.map(point => point.value));
  const positive = values.filter(value => value > 0);
  const leastPositive = Math.min(...positive);
  const place = log && positive.length ? value => Math.log10(Math.max(value, leastPositive)) : value => value;
  const least = place(Math.min(...values));
  const most = place(Math.max(...values));
  const fill = value => (most > least ? (place(value) - least) / (most - least) : 1);
  const grids = model.lines.map((_, i) => ({
    left: (i % across) * panelWidth + 62,
    width: panelWidth - 74,
    top: Math.floor(i / across) * panelHeight + 26,
    height: 30 * rows.length,
  }));
  return {
    height: panelHeight * Math.ceil(model.lines.length / across) + 6,
    zooms: false,
    option: {
      grid: grids,
      xAxis: grids.map((_, gridIndex) => ({
        ...category(theme, model.xName, columns.map(short)),
        gridIndex,
        nameGap: 24,
      })),
      yAxis: grids.map((_, gridIndex) => ({
        ...category(theme, model.yName, rows.map(short)),
        gridIndex,
        nameGap: 40,
      })),
      series: model.lines.map((line, i) => ({
        type: 'custom',
        xAxisIndex: i,
        yAxisIndex: i,
        encode: { x: 0, y: 1 },
        name: line.library.label,
        data: line.points.map(point => [columns.indexOf(point.x), rows.indexOf(point.cell.clients)]),
        renderItem(params, api) {
          const point = line.points[params.dataIndex];
          const [x, y] = api.coord([columns.indexOf(point.x), rows.indexOf(point.cell.clients)]);
          const [fieldWidth, fieldHeight] = api.size([1, 1]);
          const color = heatAt(fill(point.value));
          const { x: left, y: top } = params.coordSys;
          const title = textAt(theme, left, top - 8, line.library.label, {
            fontWeight: 600,
            fontSize: 13,
            verticalAlign: 'bottom',
          });
          return {
            type: 'group',
            children: [
              {
                type: 'rect',
                shape: {
                  x: x - fieldWidth / 2 + 1,
                  y: y - fieldHeight / 2 + 1,
                  width: fieldWidth - 2,
                  height: fieldHeight - 2,
                },
                style: {
                  fill: `rgb(${color.join(',')})`,
                  ...(point.cell.lowerBound ? { stroke: theme.text, lineDash: [3, 3], lineWidth: 1 } : {}),
                },
              },
              textAt(theme, x, y, number(point.value), {
                align: 'center',
                fontSize: 11,
                fill: luminance(color) > 0.179 ? '#000000' : '#ffffff',
              }),
              // Once a panel, above it.
              ...(params.dataIndex === 0 ? [title] : []),
            ],
          };
        },
      })),
    },
    tooltip: {
      trigger: 'item',
      formatter: one => {
        const line = model.lines[one.seriesIndex];
        const point = line.points[one.dataIndex];
        const load = `${short(point.cell.clients)} clients x ${short(point.x)} in flight`;
        const row = {
          library: line.library,
          name: line.library.label,
          value: bounded(point, model),
          note: point.cell.notes,
        };
        return tip(inUnit(load, model), [row], library => library.color ?? theme.plain);
      },
    },
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
const luminance = channels =>
  channels
    .map(channel => channel / 255)
    .map(part => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, i) => sum + part * [0.2126, 0.7152, 0.0722][i], 0);
