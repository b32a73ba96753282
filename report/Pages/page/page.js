// What the page does without charts: sorts its tables, keeps what is shown in its address, opens what is
// collapsed before it is printed.

let listeners = [];
let state = parse(location.hash) ?? new Map();
let said;

// Readable key=value pairs; null for an anchor, which says nothing of the state.
function parse(hash) {
  if (hash.length > 1 && !hash.includes('=')) {
    return null;
  }
  const pairs = new Map();
  for (const pair of hash.slice(1).split('&')) {
    const [, key, value] = /^([a-z]{1,12})=(.{1,9999})$/.exec(pair) ?? [];
    if (key) {
      pairs.set(key, value);
    }
  }
  return pairs;
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

// The values of a key of the address, which anybody may have written.
export const listOf = key =>
  (state.get(key) ?? '')
    .split(',')
    .filter(text => text)
    .map(decoded);
export const valueOf = key => listOf(key)[0];

// What the address says of the state.
const address = () => '#' + [...state].map(pair => pair.join('=')).join('&');

// Changes keys, each to a value or a list of them; without one a key is gone. Not quietly: as a step that
// the browser's back button takes back.
export function change(changes, quietly = false) {
  for (const [key, value] of Object.entries(changes)) {
    const text = [value ?? []]
      .flat()
      .map(part => encodeURIComponent(part))
      .join(',');
    if (text) {
      state.set(key, text);
    } else {
      state.delete(key);
    }
  }
  const hash = address();
  if (hash !== (location.hash || '#')) {
    history[quietly ? 'replaceState' : 'pushState'](null, '', hash);
  }
  if (!quietly) {
    announce();
  }
}

// Calls a listener now and whenever the state changes, until it returns false.
export function whenChanged(listener) {
  listeners.push(listener);
  listener();
}

function announce() {
  const before = listeners;
  listeners = [];
  // What a listener adds stands behind those that stay.
  const staying = before.filter(listener => listener() !== false);
  listeners = [...staying, ...listeners];
}

// Says it to who does not see it.
export function say(text) {
  said.textContent = text;
}

export function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

// A list to choose from, whose choice stands in the address. Others: what a choice changes in the address as well.
export function selection(words, key, others) {
  const made = element('select');
  made.addEventListener('change', () => change({ [key]: made.value, ...others }));
  const label = element('label', {}, words, made);
  // Options: of each its value and its words. A single one is none to choose.
  const fill = (options, value) => {
    label.hidden = options.length < 2;
    made.replaceChildren(
      ...options.map(([of, shown]) => element('option', { value: of, selected: of === value }, shown)),
    );
  };
  return { label, fill };
}

// Writes it to a place, which readers hear of where it is something else than before.
export function tell(place, text) {
  place.hidden = text === '';
  if (place.textContent !== text) {
    place.textContent = text;
  }
}

// What a wide table scrolls in.
export function region(table, label) {
  const box = element('div', { className: 'table', tabIndex: 0 }, table);
  box.setAttribute('role', 'region');
  box.setAttribute('aria-label', label);
  return box;
}

// The numbers of a cell such as "≥ 1,234" or "12.3 (1.00x)"; null where it has none in front.
export function numbersIn(text) {
  if (!/^\s*[~≥<]*\s*-?\d/.test(text)) {
    return null;
  }
  return text
    .replace(/(\d),(?=\d{3})/g, '$1')
    .match(/-?\d+(\.\d+)?/g)
    .map(Number);
}

function compareNumbers(a, b) {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    if (a[i] !== b[i]) {
      return a[i] - b[i];
    }
  }
  return a.length - b.length;
}

const compareTexts = (a, b) => (a > b) - (a < b);

// Rows as they are to stand: those without a value last, whichever the direction.
function sorted(rows, column, direction) {
  const texts = new Map(rows.map(row => [row, row.cells[column].textContent.trim()]));
  const missing = text => ['', 'n/a', '–', 'failed'].includes(text);
  const there = rows.filter(row => !missing(texts.get(row)));
  const numbers = new Map(there.map(row => [row, numbersIn(texts.get(row))]));
  const numeric = there.filter(row => numbers.get(row)).length > there.length / 2;
  const known = numeric ? there.filter(row => numbers.get(row)) : there;
  const compare = numeric
    ? (a, b) => compareNumbers(numbers.get(a), numbers.get(b))
    : (a, b) => compareTexts(texts.get(a), texts.get(b));
  return [...known.sort((a, b) => direction * compare(a, b)), ...rows.filter(row => !known.includes(row))];
}

// The way in which a column is sorted when its button is pressed; null brings the first order back.
function nextWay(was, column) {
  if (was.column !== column) {
    return 'up';
  }
  return was.way === 'up' ? 'down' : null;
}

// Puts buttons into the head of a table; a third press brings the first order back.
export function sortable(table) {
  const heads = [...table.tHead.rows[0].cells];
  const body = table.tBodies[0];
  const first = [...body.rows];
  const mine = choice => choice.split('.')[0] === table.id;
  const others = () => listOf('sort').filter(choice => !mine(choice));
  const chosen = () => {
    const [, column, way] = listOf('sort').find(mine)?.split('.') ?? [];
    return heads[column] && ['up', 'down'].includes(way) ? { column: Number(column), way } : {};
  };
  heads.forEach((head, column) => {
    const button = element('button', { type: 'button' }, ...head.childNodes);
    button.addEventListener('click', () => {
      const way = nextWay(chosen(), column);
      if (way) {
        change({ sort: [...others(), `${table.id}.${column}.${way}`] });
        say(`Sorted by ${head.textContent}, ${way === 'up' ? 'ascending' : 'descending'}.`);
      } else {
        change({ sort: others() });
        say('In the first order again.');
      }
    });
    head.append(button);
  });
  let shown = '';
  whenChanged(() => {
    if (!table.isConnected) {
      return false; // another stands in its place
    }
    const { column, way } = chosen();
    if (shown === `${column} ${way}`) {
      return;
    }
    shown = `${column} ${way}`;
    heads.forEach((head, i) => {
      if (i === column) {
        head.setAttribute('aria-sort', way === 'up' ? 'ascending' : 'descending');
      } else {
        head.removeAttribute('aria-sort');
      }
    });
    body.append(...(column === undefined ? first : sorted([...first], column, way === 'up' ? 1 : -1)));
  });
}

function copyButton() {
  const button = element('button', { type: 'button' }, 'Copy link');
  button.title = 'A link to the page as it is shown now';
  button.addEventListener('click', async () => {
    try {
      // The page's own may be an anchor by now.
      await navigator.clipboard.writeText(location.href.split('#')[0] + address());
      say('Link copied.');
      button.textContent = 'Copied';
      setTimeout(() => (button.textContent = 'Copy link'), 2000);
    } catch {
      say('The browser does not allow it: the link is in its address bar.');
      button.textContent = 'See the address bar';
    }
  });
  return button;
}

// What is collapsed is printed too, and stays collapsed after.
function openInPrint() {
  let opened = [];
  const print = matchMedia('print');
  print.addEventListener('change', () => {
    if (print.matches) {
      opened = [...document.querySelectorAll('details:not([open])')];
    }
    opened.forEach(details => (details.open = print.matches));
  });
}

said = element('p', { className: 'skip' });
said.setAttribute('role', 'status');
document.body.append(said);
addEventListener('popstate', () => {
  const now = parse(location.hash);
  if (!now) {
    return;
  }
  state = now;
  announce();
});
document.querySelectorAll('main .table > table').forEach(sortable);
document.querySelector('nav div').append(copyButton());
openInPrint();
