// Bundles the explorer and what it stands on into one file, whose path is the argument. The licences of what
// is bundled stand at its head.
import { readFileSync } from 'node:fs';
import { build } from 'esbuild';

const licences = [
  'echarts/NOTICE', 'echarts/LICENSE', 'echarts/licenses/LICENSE-d3', 'zrender/LICENSE', 'tslib/LICENSE.txt',
].map(path => `${path}:\n\n${readFileSync(`node_modules/${path}`, 'utf8').replaceAll('*/', '* /').trim()}`);

await build({
  entryPoints: ['explorer.js'],
  outfile: process.argv[2],
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  banner: { js: `/*!\n${licences.join('\n\n')}\n*/` },
  logLevel: 'warning',
});
