// Names, units and numbers as readers see them. Metrics are named as in `report export`.

const units = [
  [/^throughput_per_s$/, 'messages/s', 1, 'throughput'],
  [/^ratio_to_baseline$/, "times the baseline's", 1, 'throughput'],
  [/^cpu_ratio_to_baseline$/, "times the baseline's", 1, 'CPU per message'],
  [/^connections_per_s$/, 'connections/s', 1, 'connecting'],
  [/^deliveries_per_s$/, 'deliveries/s', 1, 'deliveries'],
  [/^wire_packets_per_s$/, 'packets/s', 1, 'packets on the wire'],
  [/^leaves_per_s$/, 'leaves/s', 1, 'leaving'],
  [/^players_per_server_core$/, 'players per core', 1, 'players per core of the server, computed'],
  [/^server_cores$/, 'cores', 1, 'cores of the server in use'],
  [/_kbit_per_s_per_player$/, 'kbit/s per player', 1],
  [/_us_per_player_s$/, 'ms per player and second', 1e3],
  [/_us_per_delivery$/, 'µs per delivery', 1],
  [/_bytes_per_s$/, 'kB/s', 1e3],
  [/_bytes_per_player$/, 'KiB per player', 1024],
  [/_us_per_message$/, 'µs per message', 1],
  [/_bytes_per_message$/, 'bytes per message', 1],
  [/_bytes_per_connection$/, 'KiB per connection', 1024],
  [/_per_message$/, 'per message', 1],
  [/_us$/, 'µs', 1],
  [/_ms$/, 'ms', 1],
  [/_percent$/, '%', 1],
  [/_bytes$/, 'MiB', 1 << 20],
  [/_messages$/, 'messages', 1],
  [/_s$/, 's', 1],
];

const words = {
  rtt: 'round trip',
  rss: 'resident memory,',
  merged: 'of all launches,',
  cpu: 'CPU',
  gc: 'GC',
  memory: 'memory,',
};

// What a metric is called, its unit, and how many of its own units are one of that.
export function metricOf(name) {
  const [suffix, unit, divisor, called] = units.find(([pattern]) => pattern.test(name)) ?? [/$/, '', 1];
  const parts = name.replace(suffix, '').replace('p99_9', 'p99.9').split('_');
  const title = called ?? parts.map(word => words[word] ?? word).join(' ');
  return { name, title: title.replace(/,$/, ''), unit, divisor };
}

export const isRatio = metric => /ratio_to_baseline$/.test(metric?.name);

// What a library that is bound by its clients has a lower bound of.
export const isRate = metric => ['throughput_per_s', 'ratio_to_baseline'].includes(metric?.name);

// Three significant digits, or all before the point, as in the tables.
export function number(value) {
  if (value === null || value === undefined) {
    return 'n/a';
  }
  if (value === 0) {
    return '0';
  }
  if (Math.abs(value) >= 99.95) {
    return Math.round(value).toLocaleString('en-US');
  }
  if (Math.abs(value) < 0.001) {
    return value > 0 ? '<0.001' : '>-0.001';
  }
  return value.toFixed(2 - Math.floor(Math.log10(Math.abs(value))));
}

// A tick's, without digits that say nothing.
export const short = value => Number(value.toPrecision(3)).toLocaleString('en-US', { maximumFractionDigits: 6 });

export function time(us) {
  if (us < 1) {
    return `${short(us * 1e3)} ns`;
  }
  if (us < 1e3) {
    return `${short(us)} µs`;
  }
  if (us < 1e6) {
    return `${short(us / 1e3)} ms`;
  }
  return `${short(us / 1e6)} s`;
}

// Round values between two bounds, for an axis.
export function ticks(low, high, log) {
  if (!log) {
    const least = (high - low) / 5;
    const decade = 10 ** Math.floor(Math.log10(least));
    const step = [1, 2, 5, 10].map(digit => digit * decade).find(nice => nice >= least);
    const first = Math.ceil(low / step);
    return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, i) => (first + i) * step);
  }
  const decades = Math.log10(high / low);
  let digits = [1, 2, 5];
  if (decades > 2.5) {
    digits = [1];
  } else if (decades > 1.2) {
    digits = [1, 3];
  }
  const all = [];
  for (let decade = Math.floor(Math.log10(low)); decade <= Math.log10(high); decade++) {
    all.push(...digits.map(digit => Number(`${digit}e${decade}`)));
  }
  return all.filter(value => value >= low && value <= high);
}
