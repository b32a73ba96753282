// The data that stands in the page, and what each view makes of it: a model that is drawn, told and listed.
import { isRatio, metricOf, number, time } from './metrics.js';

const data = JSON.parse(document.getElementById('data').textContent);

export const libraries = data.libraries.map((name, i) => ({
  name,
  color: data.colors[i],
  shape: data.shapes[i],
  pattern: data.patterns[i],
  isPlain: data.patterns[i] === 'Dashed',
  label: (name.length > 40 ? name.slice(0, 39) + '…' : name) + (data.patterns[i] === 'Dashed' ? ' (baseline)' : ''),
}));

// Of one delivery mode and shared settings. Key: how the address names it.
export const sections = data.sections.map((words, i) => {
  const delivery = words.split(',')[0];
  const nth = data.sections.slice(0, i).filter(other => other.split(',')[0] === delivery).length;
  return { words, i, key: nth ? `${delivery}-${nth + 1}` : delivery, undrawn: data.undrawn[i] };
});

const cells = data.library.map((library, i) => ({
  i,
  library: libraries[library],
  section: data.section[i],
  clients: data.clients[i],
  parallel: data.parallel[i],
  rate: data.rate[i],
  lowerBound: data.clientBound[i] === 1,
  knee: data.knee[i] === 1,
  notes: data.notes[i],
}));

export const metrics = Object.keys(data.figures).map(metricOf);
const metricNamed = name => metrics.find(metric => metric.name === name);

// A figure with its bounds, in the metric's unit; null where it is missing.
function figure(metric, cell) {
  const [median, low, high] = metric ? data.figures[metric.name] : [[]];
  const value = median[cell.i];
  if (value === null || value === undefined) {
    return null;
  }
  const bound = column => {
    const end = column?.[cell.i] ?? null;
    return end === null ? null : end / metric.divisor;
  };
  return { value: value / metric.divisor, low: bound(low), high: bound(high), cell };
}

export const shown = point =>
  number(point.value) + (point.low === null ? '' : ` (${number(point.low)}–${number(point.high)})`);

const unique = values => [...new Set(values)].sort((a, b) => a - b);
const count = (n, noun) => `${n.toLocaleString('en-US')} ${noun}${n === 1 ? '' : 's'}`;
const clientsWords = clients => count(clients, 'client');
const flightWords = parallel => `${parallel.toLocaleString('en-US')} in flight per client`;

const loadOf = {
  parallel: cell => [`any-x-${cell.parallel}`, flightWords(cell.parallel)],
  clients: cell => [`${cell.clients}-x-any`, clientsWords(cell.clients)],
  both: cell => [
    `${cell.clients}-x-${cell.parallel}`,
    `${clientsWords(cell.clients)} x ${cell.parallel.toLocaleString('en-US')}`,
  ],
  all: cell => {
    const [key, words] = loadOf.both(cell);
    if (cell.rate === 0) {
      return [key, words];
    }
    return [`${key}-at-${cell.rate}`, `${words}, ${cell.rate.toLocaleString('en-US')} messages/s offered`];
  },
};

// Lines of libraries over a quantity of their cells.
function lines(cells, metric, xOf) {
  return libraries
    .map(library => ({
      library,
      points: cells
        .filter(cell => cell.library === library)
        .map(cell => ({ x: xOf(cell), ...figure(metric, cell) }))
        .filter(point => point.cell)
        .sort((a, b) => a.x - b.x),
    }))
    .filter(line => line.points.length > 0);
}

const nines = i => i / data.stepsANine;
function percent(nine) {
  if (nine === 0) {
    return 'least';
  }
  const digits = Math.max(1, Math.ceil(nine) - 1);
  return `${Number((100 - 10 ** (2 - nine)).toFixed(digits))} %`;
}
const isInRooms = cell => figure(metricNamed('delay_p99_us'), cell) !== null;
const closed = cell => cell.rate === 0;
const isMemory = metric => /^(rss|memory)_/.test(metric.name);
const cpu = ['client_user', 'client_system', 'server_user', 'server_system'];
const cpuMetric = part => metricNamed(`cpu_${part}_us_per_message`);

// The ratio to the baseline first, as it is what holds when the machine drifts.
const rates = ['ratio_to_baseline', 'throughput_per_s'];

// Beside a ratio to baselines that are not drawn themselves, where they would be.
const one = (metric, model) => ({
  ...model,
  level:
    isRatio(metric) && !model.lines.some(line => line.library.isPlain) ? { value: 1, words: 'baseline' } : null,
});

// The model of a metric against a quantity of the cells.
const against = (xName, of, words = xName) => (cells, metric) => ({
  kind: 'lines',
  xName,
  xLog: true,
  title: `${metric.title} against ${words}`,
  lines: lines(cells, metric, of),
});
const againstClients = against('clients', cell => cell.clients);
const againstRate = against('messages/s offered', cell => cell.rate, 'offered rate');

// Each view: the cells that it is of, what a load is to it, the metrics to choose from, those of them that are shown
// unless another is asked for, and its model.
export const views = {
  clients: {
    words: 'Against clients',
    cells: closed,
    load: loadOf.parallel,
    metrics: () => true,
    metric: rates,
    model: (cells, metric) => one(metric, againstClients(cells, metric)),
  },
  parallel: {
    words: 'By messages in flight',
    cells: closed,
    load: loadOf.clients,
    metrics: () => true,
    metric: rates,
    model: (cells, metric) =>
      one(metric, {
        kind: 'bars',
        xName: 'messages in flight per client',
        title: `${metric.title} by messages in flight`,
        lines: lines(cells, metric, cell => cell.parallel),
      }),
  },
  percentiles: {
    words: 'Percentile curves',
    cells: cell => data.curves[cell.i]?.length > 0,
    load: loadOf.all,
    log: true,
    model: cells => ({
      kind: 'lines',
      smooth: true,
      ...(cells.some(isInRooms)
        ? { xName: 'percentile of the delays', title: 'Delays by percentile' }
        : { xName: 'percentile of the round trips', title: 'Round trips by percentile' }),
      metric: { title: cells.some(isInRooms) ? 'delay' : 'round trip', unit: 'µs', isTime: true },
      xWords: percent,
      listed: [0, 6, 20, 40, 60, 80, 100, 120].map(nines),
      lines: cells.map(cell => ({
        library: cell.library,
        points: data.curves[cell.i].map((value, i) => ({ x: nines(i), value, low: null, high: null, cell })),
      })),
    }),
  },
  rate: {
    words: 'Against offered rate',
    cells: cell => cell.rate > 0,
    load: loadOf.both,
    metrics: () => true,
    metric: ['delay_p99_us', 'rtt_merged_p99_us'],
    model: (cells, metric) => ({
      ...againstRate(cells, metric),
      level: sloOf(metric),
      knees: cells.some(cell => cell.knee),
    }),
  },
  cpu: {
    words: 'CPU per message',
    cells: cell => figure(cpuMetric(cpu[0]), cell),
    load: loadOf.all,
    linear: true,
    model: cells => ({
      kind: 'stacks',
      title: 'CPU time per message',
      xName: 'library',
      metric: { title: 'CPU', unit: 'µs per message' },
      parts: cpu.map(part => part.replace('_', ', ')),
      lines: cells.map(cell => ({
        library: cell.library,
        points: cpu.map((part, x) => ({
          x,
          ...(figure(cpuMetric(part), cell) ?? { value: 0, low: null, high: null, cell, missing: true }),
        })),
      })),
    }),
  },
  memory: {
    words: 'Memory against clients',
    cells: closed,
    load: loadOf.parallel,
    metrics: isMemory,
    metric: 'rss_server_bytes',
    model: againstClients,
  },
  map: {
    words: 'Heat map',
    cells: closed,
    metrics: () => true,
    metric: rates,
    model: (cells, metric) => ({
      kind: 'map',
      xName: 'messages in flight per client',
      yName: 'clients',
      title: `${metric.title} by clients and messages in flight`,
      lines: lines(cells, metric, cell => cell.parallel),
    }),
  },
};

function sloOf(metric) {
  const name = /^rtt_(?:merged_)?(p[0-9_]*[0-9])_us$/.exec(metric.name)?.[1];
  const quantile = { p50: 0.5, p90: 0.9, p99: 0.99, p99_9: 0.999 }[name];
  const value = data.slo.find((_, i) => i % 2 === 1 && data.slo[i - 1] === quantile);
  return value === undefined ? null : { value, words: `SLO: ${time(value)}` };
}

export const viewsOf = section =>
  Object.keys(views).filter(name => cells.some(cell => cell.section === section.i && views[name].cells(cell)));

export const metricsOf = view => (view.metrics ? metrics.filter(view.metrics) : []);

// Those that a view shows unless another is asked for, as far as a section has them: the first, or else the next.
export const usualOf = (section, view) =>
  [view.metric]
    .flat()
    .map(metricNamed)
    .filter(
      metric => metric && cells.some(cell => cell.section === section.i && view.cells(cell) && figure(metric, cell)),
    );

// True where a figure stands beside others of the same rounds.
export const isInterleaved = cell => figure(metricNamed('ratio_to_baseline'), cell) !== null;

// The loads of a view, each with the libraries that it says something of.
export function loadsOf(section, view) {
  if (!view.load) {
    return [];
  }
  const loads = new Map();
  for (const cell of cells.filter(cell => cell.section === section.i && view.cells(cell))) {
    const [key, words] = view.load(cell);
    if (!loads.has(key)) {
      loads.set(key, { key, words, libraries: new Set() });
    }
    loads.get(key).libraries.add(cell.library);
  }
  return [...loads.values()];
}

// What has a single place on its axis is no line, but bars in the order of their figures.
const ranked = (model, x) => ({
  kind: 'ranks',
  title: model.title.replace(/ against .*$/, `, ${x.toLocaleString('en-US')} ${model.xName}`),
});

export function modelOf(section, view, metric, load, hidden) {
  const all = cells.filter(
    cell => cell.section === section.i && view.cells(cell) && (!load || view.load(cell)[0] === load.key),
  );
  const model = view.model(all, metric);
  const every = model.lines.map(line => line.library);
  const xs = unique(model.lines.flatMap(line => line.points.map(point => point.x)));
  return {
    metric,
    ...model,
    ...(model.kind === 'lines' && !model.smooth && xs.length === 1 ? ranked(model, xs[0]) : {}),
    every,
    lines: model.lines.filter(line => !hidden.includes(line.library.name)),
    xs,
  };
}
