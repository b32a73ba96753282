// All sweeps side by side: libraries are rows, a load of a sweep is a column. What is chosen stands in the address.
import { change, element, listOf, region, selection, sortable, tell, valueOf, whenChanged } from './page.js';
import { isRate, isRatio, number } from './metrics.js';

const data = JSON.parse(document.getElementById('data').textContent);
const place = document.getElementById('explorer');

// So many columns are shown at most unless loads are chosen.
const usualColumns = 8;
const usualLoad = /^100 x 10, 32 B$/;
const versions = 'version';
const isWide = matchMedia('(min-width: 40rem)').matches;

// Things with names, and keys by which the address names them: shorter, and without what it would have to escape.
function keyed(names, others = () => ({})) {
  const taken = new Set();
  return names.map((name, i) => {
    const plain = name.toLowerCase().replace(/[^a-z0-9.]+/g, '-').replace(/^-|-$/g, '');
    const key = taken.has(plain) || ['', 'all', 'none'].includes(plain) ? `${plain}-${i}` : plain;
    taken.add(key);
    return { i, name, key, ...others(i) };
  });
}

const works = keyed(data.works, i => ({ noun: data.nouns[i], atRate: data.atRate[i] === 1 }));
const loads = keyed(data.loads);
const libraries = keyed(data.libraries, i => ({ color: data.colors[i] }));
const machines = keyed(data.machines);
// The newest first.
const sweeps = data.names.map((name, i) => ({
  i,
  name,
  date: data.dates[i],
  link: data.links[i],
  preset: data.presets[i],
  commit: data.commits[i],
  system: data.systems[i],
  machine: machines[data.machine[i]],
}));
const cells = data.sweep.map((sweep, i) => ({
  i,
  sweep: sweeps[sweep],
  work: works[data.work[i]],
  load: loads[data.load[i]],
  library: libraries[data.library[i]],
  launches: data.launches[i],
  lower: data.lower[i] === 1,
  version: data.versions[data.version[i]],
  reason: data.reasons[data.reason[i]],
}));
const figures = [
  ...data.figures.map((name, i) => ({ name, key: name, words: data.words[i] })),
  { name: versions, key: versions, words: 'version of the library' },
];

const many = (count, noun, plural = `${noun}s`) => `${count.toLocaleString('en-US')} ${count === 1 ? noun : plural}`;
const distinct = all => [...new Set(all)];

// A figure of a cell with its bounds; null where it is missing.
function figureOf(cell, name) {
  const [medians, low, high] = data.values[name];
  const value = medians[cell.i];
  if (value === null) {
    return null;
  }
  return { value, low: low?.[cell.i] ?? null, high: high?.[cell.i] ?? null };
}

const has = (cell, figure) => figure.name === versions || figureOf(cell, figure.name) !== null;

function textOf(cell, figure) {
  if (figure.name === versions) {
    return cell.version;
  }
  const shown = figureOf(cell, figure.name);
  const isBounded = isRate(figure) || figure.name === 'goodput_mbit_per_s';
  return shown && `${cell.lower && isBounded ? '≥ ' : ''}${number(shown.value)}`;
}

// The one of these that the address names.
const named = (all, key) => all.find(one => one.key === valueOf(key));

// Those of these that the address names; without a word of them null.
function chosenOf(all, key) {
  const asked = listOf(key);
  if (asked.includes('all')) {
    return all;
  }
  const known = all.filter(one => asked.includes(one.key));
  return known.length > 0 || asked.includes('none') ? known : null;
}

const work = selection('What was done', 'work', { loads: null, figure: null, sort: null });
const figure = selection('Figure', 'figure', { sort: null });
const older = element('input', { type: 'checkbox' });
older.addEventListener('change', () => change({ older: older.checked ? 'yes' : null, sort: null }));
const olderLabel = element('label', { className: 'tick' }, older, 'Older sweeps of a machine too');

// A box of things of which some are chosen; all: what is chosen where the address says nothing.
function chips(legend, key, all) {
  const summary = element('summary');
  const box = element('details', { className: 'choose', open: isWide }, summary);
  const take = (some, usual) => {
    let value = some.map(one => one.key);
    if (some.length === usual.length && some.every(one => usual.includes(one))) {
      value = null;
    } else if (some.length === 0 || some.length === there.length) {
      value = some.length === 0 ? 'none' : 'all';
    }
    change({ [key]: value, sort: null });
  };
  let there = [];
  let usual = [];
  const buttons = [
    ['All', () => take(there, usual)],
    ['None', () => take([], usual)],
    ['Usual', () => change({ [key]: null, sort: null })],
  ].map(([words, pressed]) => {
    const button = element('button', { type: 'button', ariaLabel: `${words}: ${legend.toLowerCase()}` }, words);
    button.addEventListener('click', pressed);
    return button;
  });
  const inputs = new Map();
  const list = element('div', { className: 'choices' });
  list.setAttribute('role', 'group');
  list.setAttribute('aria-label', legend);
  for (const one of all) {
    const input = element('input', { type: 'checkbox' });
    const chip = element('label', { className: 'chip' }, input, one.name);
    if ('color' in one) {
      chip.classList.add('of');
    }
    if (one.color) {
      chip.style.setProperty('--of', one.color);
    }
    input.addEventListener('change', () => take(there.filter(other => inputs.get(other).input.checked), usual));
    inputs.set(one, { input, chip });
    list.append(chip);
  }
  box.append(element('div', { className: 'more' }, ...buttons), list);
  const fill = (present, usually, chosen) => {
    there = present;
    usual = usually;
    summary.textContent = `${legend}: ${chosen.length.toLocaleString('en-US')} of ${present.length}`;
    buttons[2].hidden = present.length === usually.length;
    box.hidden = present.length === 0;
    for (const [one, { input, chip }] of inputs) {
      chip.hidden = !present.includes(one);
      input.checked = chosen.includes(one);
    }
  };
  return { box, fill };
}

const ofLoads = chips('Loads', 'loads', loads);
const ofLibraries = chips('Libraries', 'libraries', libraries);
const ofMachines = chips('Machines', 'machines', machines);
const heading = element('p', { className: 'title' });
const status = element('p', { className: 'status' });
status.setAttribute('role', 'status');
const note = element('p', { className: 'note' });
const holder = element('div', {});
const legend = element('div', {});

place.className = 'explorer';
place.setAttribute('role', 'group');
place.setAttribute('aria-label', 'Sweeps side by side');
place.append(
  element('div', { className: 'controls' }, work.label, figure.label, olderLabel),
  ofLoads.box,
  ofLibraries.box,
  ofMachines.box,
  heading,
  note,
  holder,
  status,
  legend,
);

// The sweeps that have a figure under a load, or else that have the load: the newest of each machine, or all.
function sweepsOf(some, load, figure, withOlder) {
  const under = some.filter(cell => cell.load === load);
  const known = under.filter(cell => has(cell, figure));
  const having = sweeps.filter(sweep => (known.length > 0 ? known : under).some(cell => cell.sweep === sweep));
  return withOlder
    ? having
    : having.filter((sweep, i) => having.findIndex(other => other.machine === sweep.machine) === i);
}

// What is shown where no loads are chosen: those of which most machines and sweeps have the figure, as far as there is
// room.
function usualLoads(some, present, figure, withOlder) {
  const known = present.filter(load => some.some(cell => cell.load === load && has(cell, figure)));
  const ranked = (known.length > 0 ? known : present)
    .map(load => {
      const all = sweepsOf(some, load, figure, true);
      return { load, machines: distinct(all.map(sweep => sweep.machine)).length, sweeps: all.length };
    })
    .sort((a, b) =>
      b.machines - a.machines
      || b.sweeps - a.sweeps
      || usualLoad.test(b.load.name) - usualLoad.test(a.load.name));
  let room = usualColumns;
  const usual = ranked.filter(({ load }, i) => {
    room -= sweepsOf(some, load, figure, withOlder).length;
    return i === 0 || room >= 0;
  });
  return present.filter(load => usual.some(one => one.load === load));
}

// What the address asks for, as far as there is such a thing.
function chosen() {
  const sweepsWith = one => distinct(cells.filter(cell => cell.work === one).map(cell => cell.sweep)).length;
  const most = Math.max(...works.map(sweepsWith));
  const what = named(works, 'work') ?? works.find(one => sweepsWith(one) === most);
  const withOlder = valueOf('older') === 'yes';
  const ofWork = cells.filter(cell => cell.work === what);
  const presentMachines = machines.filter(machine => ofWork.some(cell => cell.sweep.machine === machine));
  const onMachines = chosenOf(presentMachines, 'machines') ?? presentMachines;
  const here = ofWork.filter(cell => onMachines.includes(cell.sweep.machine));
  const presentLoads = loads.filter(load => here.some(cell => cell.load === load));
  const known = figures.filter(one => ofWork.some(cell => has(cell, one)));
  // At a given rate all libraries have much the same rate.
  const tells = one => !(what.atRate && isRate(one)) && here.some(cell => has(cell, one));
  const shownFigure = named(known, 'figure') ?? known.find(tells);
  const usual = usualLoads(here, presentLoads, shownFigure, withOlder);
  const under = chosenOf(presentLoads, 'loads') ?? usual;
  const columns = under.flatMap(load =>
    sweepsOf(here, load, shownFigure, withOlder).map(sweep => ({ load, sweep })));
  const shown = here.filter(cell => columns.some(column => isIn(cell, column)));
  const presentLibraries = libraries.filter(library => ofWork.some(cell => cell.library === library));
  const rows = chosenOf(presentLibraries, 'libraries') ?? presentLibraries;
  return {
    what,
    withOlder,
    presentMachines,
    onMachines,
    presentLoads,
    usual,
    under,
    columns,
    shown,
    presentLibraries,
    rows,
    known,
    figure: shownFigure,
  };
}

const isIn = (cell, { load, sweep }) => cell.load === load && cell.sweep === sweep;

// A bar on the scale of its column, or of all columns where they can be compared; a tick stands at 1 x baseline.
function barOf(value, greatest, color, withOne) {
  const bar = element('span', { className: 'bar' }, element('i'));
  bar.firstChild.style.width = `${Math.min(100, (100 * value) / greatest)}%`;
  if (color) {
    bar.style.setProperty('--of', color);
  }
  if (withOne && greatest > 1) {
    const one = element('b');
    one.style.left = `${100 / greatest}%`;
    bar.append(one);
  }
  bar.setAttribute('aria-hidden', 'true');
  return bar;
}

function entry(cell, figure, greatest) {
  if (!cell) {
    return element('td', { className: 'n', title: 'This sweep did not measure it.' }, '–');
  }
  const text = textOf(cell, figure);
  const reason = cell.reason ? [element('small', { className: 'reason' }, cell.reason)] : [];
  if (text === null) {
    const words = cell.launches === 0 ? 'failed' : 'n/a';
    return element('td', { className: 'n' }, `${words} `, ...reason);
  }
  if (figure.name === versions) {
    return element('td', { className: 'n' }, text);
  }
  const { value, low, high } = figureOf(cell, figure.name);
  const bounds = low === null ? [] : [element('small', {}, `${number(low)}–${number(high)}`)];
  if (cell.reason) {
    return element('td', { className: 'n' }, element('del', {}, text), ' ', ...reason);
  }
  const bar = greatest > 0 ? [barOf(value, greatest, cell.library.color, isRatio(figure))] : [];
  return element('td', { className: 'n' }, text, ' ', ...bounds, ...bar);
}

function greatestOf(some, figure) {
  const values = some
    .filter(cell => !cell.reason && figure.name !== versions)
    .map(cell => figureOf(cell, figure.name)?.value ?? 0);
  return Math.max(0, ...values);
}

const fewest = some => Math.min(...some.filter(cell => cell.launches > 0).map(cell => cell.launches));

function tableOf({ columns, shown, rows, figure }, caption) {
  const isRelative = isRatio(figure) || /percent$/.test(figure.name);
  const inRows = shown.filter(cell => rows.includes(cell.library));
  const all = columns.map(column => ({ ...column, cells: inRows.filter(cell => isIn(cell, column)) }));
  const scale = greatestOf(inRows, figure);
  const cellOf = (column, library) => column.cells.find(cell => cell.library === library);
  const valueIn = (column, library) => {
    const cell = cellOf(column, library);
    return cell && !cell.reason && figure.name !== versions ? (figureOf(cell, figure.name)?.value ?? -1) : -1;
  };
  const muchIsGood = /^(ratio_to_baseline|throughput|goodput|on_time|messages_per_server_core)/.test(figure.name);
  const place = library => {
    const value = all.map(column => valueIn(column, library)).find(value => value >= 0) ?? -1;
    return !muchIsGood && value >= 0 ? 1 / (1 + value) : value;
  };
  const sortedRows = rows
    .filter(library => all.some(column => cellOf(column, library)))
    .sort((a, b) => place(b) - place(a));
  const head = column => {
    const launches = distinct(column.cells.filter(cell => cell.launches > 0).map(cell => cell.launches));
    const words = launches.length === 1 ? many(launches[0], 'launch', 'launches') : `${fewest(column.cells)} or more`;
    return element(
      'th',
      { scope: 'col', className: 'n' },
      `${column.load.name} `,
      element('small', {}, `${column.sweep.machine.name}: ${column.sweep.preset.split(':')[0]} `),
      element('small', { className: 'whole' }, `${column.sweep.date} `),
      element('small', { className: 'whole' }, launches.length === 0 ? 'no launch' : words),
    );
  };
  const lead = library => {
    const made = element('th', { scope: 'row', className: 'library' }, library.name);
    if (library.color) {
      made.style.setProperty('--of', library.color);
    }
    return made;
  };
  return element(
    'table',
    { id: 'side', className: 'side' },
    element('caption', {}, caption),
    element('thead', {}, element('tr', {}, element('th', { scope: 'col' }, 'library'), ...all.map(head))),
    element('tbody', {}, ...sortedRows.map(library => element(
      'tr',
      {},
      lead(library),
      ...all.map(column =>
        entry(cellOf(column, library), figure, isRelative ? scale : greatestOf(column.cells, figure))),
    ))),
  );
}

function intervalsOf(figure) {
  if (isRatio(figure)) {
    return 'Small: the 95 % interval; with fewer than 5 launches it is of their rounds alone.';
  }
  return figure.name === versions ? '' : 'Small, where it is there: the range, from 5 launches on the 95 % interval.';
}

function legendOf(columns) {
  const items = distinct(columns.map(column => column.sweep)).map(sweep => element(
    'li',
    {},
    `${sweep.date}, ${sweep.machine.name}, ${sweep.system}: `,
    element('a', { href: sweep.link }, `the ${sweep.preset} sweep`),
    `, suite ${sweep.commit}`,
  ));
  return [element('p', { className: 'title' }, 'The sweeps shown'), element('ul', {}, ...items)];
}

function show() {
  const now = chosen();
  if (!now.what) {
    tell(status, 'No sweep has measured anything.');
    return;
  }
  const withNoun = words => words.replace('message', now.what.noun);
  const workOptions = works.map(one => [one.key, one.name]);
  work.fill(workOptions, now.what.key);
  const figureOptions = now.known.map(one => [one.key, withNoun(one.words)]);
  figure.fill(figureOptions, now.figure?.key);
  older.checked = now.withOlder;
  ofLoads.fill(now.presentLoads, now.usual, now.under);
  ofLibraries.fill(now.presentLibraries, now.presentLibraries, now.rows);
  ofMachines.fill(now.presentMachines, now.presentMachines, now.onMachines);
  ofMachines.box.hidden = now.presentMachines.length < 2;
  const words = withNoun(now.figure.words);
  tell(heading, `${now.what.name}: ${words}`);
  const ofOne = now.columns.filter(column => fewest(now.shown.filter(cell => isIn(cell, column))) === 1);
  const which = ofOne.length === now.columns.length ? 'These figures are' : 'Some of these figures are';
  tell(note, ofOne.length > 0 ? `${which} of one launch: the order of the libraries is not proven by it.` : '');
  const table = tableOf(now, `${words}, by library and load`);
  const count = table.tBodies[0].rows.length;
  const found = `${many(count, 'library', 'libraries')}, ${many(now.columns.length, 'column')}.`;
  if (count === 0) {
    holder.replaceChildren();
    tell(status, 'Nothing is left to show: choose a load, a library and a machine.');
    legend.replaceChildren();
    return;
  }
  holder.replaceChildren(region(table, 'Sweeps side by side'));
  sortable(table);
  const marks = '–: not measured. Struck out: not to be trusted, for the reason below.';
  tell(status, `${found} ${intervalsOf(now.figure)} ${marks}`);
  legend.replaceChildren(...legendOf(now.columns));
}

// All of the address but for how tables are sorted, which they see to themselves.
const keys = ['work', 'loads', 'libraries', 'machines', 'figure', 'older'];
const asked = () => keys.map(key => listOf(key).join()).join('&');
let shownNow;
whenChanged(() => {
  if (asked() === shownNow) {
    return;
  }
  shownNow = asked();
  show();
});
