// The charts of the page: which view of which figures is shown stands in the address.
import { version } from 'echarts/core';
import { change, element, listOf, region, selection, sortable, tell, valueOf, whenChanged } from './page.js';
import { chartIn } from './charts/chart.js';
import {
  isInterleaved,
  libraries,
  loadsOf,
  metricsOf,
  modelOf,
  sections,
  shown,
  usualOf,
  views,
  viewsOf,
} from './figures.js';
import { isRatio, short } from './metrics.js';

const logFrom = 10;
const leastSpan = 2;
const printedWidth = 680;
const place = document.getElementById('explorer');
const usable = sections.filter(section => viewsOf(section).length > 0);
let timer;
let drawn;

const button = (words, pressed) => {
  const made = element('button', { type: 'button' }, words);
  made.addEventListener('click', pressed);
  return made;
};

// A choice takes back what belonged to the one before it.
const view = selection('View', 'view', { metric: null, load: null, scale: null, zoom: null });
const mode = selection('Delivery mode', 'mode', { load: null, zoom: null });
const metric = selection('Metric', 'metric', { scale: null, zoom: null });
const load = selection('Load', 'load', { zoom: null });
const log = element('input', { type: 'checkbox' });
log.addEventListener('change', () => change({ scale: log.checked ? 'log' : 'linear' }));
const logLabel = element('label', { className: 'tick' }, log, 'Logarithmic scale');
const zoomIn = button('Zoom in', () => zoomBy(0.5));
const zoomOut = button('Zoom out', () => zoomBy(2));
const zoomReset = button('Reset zoom', () => change({ zoom: null }));
const other = button('', () => change({ metric: other.value, scale: null, zoom: null }));
const asTable = button('Show as table', () => change({ table: valueOf('table') === 'yes' ? null : 'yes' }));
const chips = element('fieldset', {}, element('legend', {}, 'Libraries'));
const title = element('p', { className: 'title' });
const holder = element('div', { className: 'chart' });
holder.setAttribute('role', 'img');
const status = element('p', { className: 'status' });
status.setAttribute('role', 'status');
const table = element('div', { hidden: true });

place.className = 'explorer';
place.setAttribute('role', 'group');
place.setAttribute('aria-label', 'Interactive chart');
place.append(
  element(
    'div',
    { className: 'controls' },
    view.label,
    mode.label,
    metric.label,
    load.label,
    other,
    logLabel,
    zoomIn,
    zoomOut,
    zoomReset,
    asTable,
  ),
  chips,
  title,
  holder,
  status,
  table,
);
const credit =
  `The charts are drawn by Apache ECharts ${version}, which is under the Apache License 2.0; ` +
  "its licences stand in this page's source.";
document.querySelector('footer').append(element('p', {}, credit));

for (const library of libraries) {
  const input = element('input', { type: 'checkbox' });
  const chip = element('label', { className: 'chip' }, input, library.label);
  if (library.color) {
    chip.style.setProperty('--of', library.color);
  }
  input.addEventListener('change', () => {
    const hidden = listOf('hide').filter(name => name !== library.name);
    change({ hide: input.checked ? hidden : [...hidden, library.name] });
  });
  chips.append(chip);
  Object.assign(library, { input, chip });
}

const zoomNow = () => {
  const [start, end] = (valueOf('zoom') ?? '').split('-').map(Number);
  return start >= 0 && end <= 100 && end - start >= leastSpan ? [start, end] : [0, 100];
};
function zoomBy(factor) {
  const [start, end] = zoomNow();
  const span = Math.max(leastSpan, Math.min(100, (end - start) * factor));
  const from = Math.max(0, Math.min(100 - span, (start + end - span) / 2));
  change({ zoom: span === 100 ? null : `${Math.round(from)}-${Math.round(from + span)}` });
}
const chart = chartIn(holder, (start, end) => {
  clearTimeout(timer);
  const zoom = start <= 0 && end >= 100 ? null : `${Math.round(start)}-${Math.round(end)}`;
  timer = setTimeout(() => {
    change({ zoom }, true);
    drawn = asked();
    zoomReset.disabled = !zoom;
    zoomOut.disabled = !zoom;
  }, 200);
});

// All of the address that the chart is of.
const asked = () =>
  ['view', 'mode', 'metric', 'load', 'scale', 'hide', 'zoom', 'table'].map(key => listOf(key).join()).join('&');

// What the address asks for, as far as there is such a thing.
function chosen() {
  const pick = (all, key, of = item => item.key) => all.find(item => of(item) === valueOf(key));
  const section = pick(usable, 'mode') ?? usable[0];
  const there = section ? viewsOf(section) : [];
  const viewName = there.includes(valueOf('view')) ? valueOf('view') : there[0];
  const kind = views[viewName];
  if (!kind) {
    return { section, there };
  }
  const metrics = metricsOf(kind);
  const usual = usualOf(section, kind);
  const one = pick(metrics, 'metric', item => item.name) ?? usual[0] ?? metrics[0];
  const loads = loadsOf(section, kind);
  const most = Math.max(...loads.map(item => item.libraries.size));
  const fullest = loads.filter(item => item.libraries.size === most);
  const under = pick(loads, 'load') ?? (kind.load && fullest.at(viewName === 'clients' ? 0 : -1));
  const hidden = listOf('hide');
  const model = modelOf(section, kind, one, under, hidden);
  const values = model.lines.flatMap(line => line.points.map(point => point.value)).filter(value => value > 0);
  const helps = Math.max(...values) >= logFrom * Math.min(...values) && model.kind !== 'bars';
  const wanted = ['log', 'linear'].find(name => name === valueOf('scale'));
  const scale = wanted ?? (kind.log || helps ? 'log' : 'linear');
  return {
    section,
    there,
    viewName,
    kind,
    metrics,
    usual,
    metric: one,
    loads,
    load: under,
    hidden,
    model,
    log: scale === 'log' && !kind.linear && model.kind !== 'ranks',
  };
}

function show() {
  const now = chosen();
  const { section, model, hidden } = now;
  const viewOptions = now.there.map(name => [name, views[name].words]);
  view.fill(viewOptions, now.viewName);
  const modeOptions = usable.map(one => [one.key, one.words]);
  mode.fill(modeOptions, section?.key);
  if (!model) {
    status.textContent = 'There is nothing to draw.';
    return;
  }
  const metricOptions = now.metrics.map(one => [one.name, one.unit ? `${one.title}, ${one.unit}` : one.title]);
  metric.fill(metricOptions, now.metric?.name);
  const loadOptions = now.loads.map(one => [one.key, one.words]);
  load.fill(loadOptions, now.load?.key);
  // One click from ratios to rates, and back.
  const next = now.usual.length > 1 ? now.usual.find(one => one !== now.metric) : null;
  other.hidden = !next;
  other.value = next?.name ?? '';
  other.textContent = isRatio(next) ? 'Ratio to the baseline' : 'Absolute rates';
  log.checked = now.log;
  logLabel.hidden = Boolean(now.kind.linear) || model.kind === 'ranks';
  const zooms = ['lines', 'bars'].includes(model.kind);
  const zoom = zoomNow();
  const isWhole = zoom[0] === 0 && zoom[1] === 100;
  zoomIn.hidden = !zooms;
  zoomOut.hidden = !zooms;
  zoomReset.hidden = !zooms;
  zoomOut.disabled = isWhole;
  zoomReset.disabled = isWhole;
  for (const library of libraries) {
    library.input.checked = !hidden.includes(library.name);
    library.chip.hidden = !model.every.includes(library);
  }
  const heading = `${upper(model.title)}, ${section.words}${now.load ? `, ${now.load.words}` : ''}`;
  title.textContent = heading;
  tell(status, told(now));
  const spans = model.lines.map(line => `${line.library.label}: ${spanOf(line)}`);
  holder.setAttribute('aria-label', `${heading}. ${spans.join('; ')}`);
  chart.draw(model, now.log, zooms ? zoom : null);
  const open = valueOf('table') === 'yes';
  asTable.setAttribute('aria-expanded', open);
  asTable.textContent = open ? 'Hide table' : 'Show as table';
  table.hidden = !open;
  table.replaceChildren(...(open ? [listed(model, heading)] : []));
  if (open) {
    sortable(table.querySelector('table'));
  }
}

const upper = text => text[0].toUpperCase() + text.slice(1);

function spanOf({ points }) {
  const first = shown(points[0]);
  const last = shown(points.at(-1));
  return first === last ? first : `${first} to ${last}`;
}

function told({ model, section, log, kind }) {
  const drawn = model.lines.length;
  const away = model.every.length - drawn;
  const points = model.lines.flatMap(line => line.points);
  let counted = `${drawn} ${drawn === 1 ? 'library' : 'libraries'} shown`;
  if (away) {
    counted += `, ${away} hidden`;
  }
  if (!kind.linear && model.kind !== 'ranks') {
    counted += log ? ', logarithmic' : ', linear';
  }
  const said = [`${counted}.`];
  if (model.kind === 'lines' && model.lines.some(line => line.library.isPlain)) {
    said.push('Dashed: baselines.');
  }
  if (model.kind !== 'stacks' && points.some(point => point.cell.lowerBound)) {
    const look = model.kind === 'map' ? 'Dashed border' : 'Hollow';
    said.push(`${look}: bound by the client, a lower bound of the library.`);
  }
  if (['lines', 'bars', 'ranks'].includes(model.kind) && points.some(point => point.low !== null)) {
    said.push(`Whiskers: ${whiskersOf(model, points)}.`);
  }
  if (model.parts) {
    said.push(`From full to pale: ${model.parts.join('; ')}.`);
  }
  if (model.knees) {
    said.push('Large: the highest rate that keeps to the SLO.');
  }
  if (section.undrawn) {
    said.push(`Not drawn, as invalid: ${section.undrawn} ${section.undrawn === 1 ? 'row' : 'rows'}.`);
  }
  return said.join(' ');
}

function whiskersOf({ metric }, points) {
  if (isRatio(metric)) {
    return 'the 95 % interval, below 5 launches of their rounds alone';
  }
  return metric.name === 'throughput_per_s' && points.some(point => isInterleaved(point.cell))
    ? 'range of the slices'
    : 'range, from 5 launches on the 95 % interval';
}

// The view's figures as a table.
function listed(model, heading) {
  const head = (words, i) => element('th', { scope: 'col', className: i ? 'n' : '' }, words);
  const lead = words => element('th', { scope: 'row' }, words);
  const cell = point => element('td', { className: 'n' }, point && !point.missing ? shown(point) : 'n/a');
  let names;
  let rows;
  if (model.kind === 'stacks') {
    names = ['library', ...model.parts];
    rows = model.lines.map(line => [lead(line.library.label), ...line.points.map(cell)]);
  } else if (model.kind === 'map') {
    names = ['library', 'clients', ...model.xs.map(x => `${short(x)} in flight`)];
    rows = model.lines.flatMap(line => {
      const all = [...new Set(line.points.map(point => point.cell.clients))].sort((a, b) => a - b);
      return all.map(clients => [
        lead(line.library.label),
        element('td', { className: 'n' }, short(clients)),
        ...model.xs.map(x => cell(line.points.find(point => point.x === x && point.cell.clients === clients))),
      ]);
    });
  } else {
    names = [model.xName, ...model.lines.map(line => line.library.label)];
    const xs = model.listed?.filter(x => x <= model.xs.at(-1)) ?? model.xs;
    rows = xs.map(x => [
      lead((model.xWords ?? short)(x)),
      ...model.lines.map(line => cell(line.points.find(point => Math.abs(point.x - x) < 1e-9))),
    ]);
  }
  const made = element(
    'table',
    { id: 'view' },
    element('caption', {}, `${heading}${model.metric.unit ? `; ${model.metric.unit}` : ''}`),
    element('thead', {}, element('tr', {}, ...names.map(head))),
    element('tbody', {}, ...rows.map(row => element('tr', {}, ...row))),
  );
  return region(made, 'The chart as a table');
}

// Each sort of the page's tables would draw the chart anew.
whenChanged(() => {
  if (asked() === drawn) {
    return;
  }
  drawn = asked();
  show();
});
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', show);
const print = matchMedia('print');
print.addEventListener('change', () => {
  show();
  chart.resize(print.matches ? printedWidth : undefined);
});
let width = holder.clientWidth;
new ResizeObserver(() => {
  if (holder.clientWidth === width || print.matches) {
    return;
  }
  width = holder.clientWidth;
  show();
}).observe(holder);
