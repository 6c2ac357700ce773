// `npm run mutants [-- folder …]`: changes the rules in folders of packages/domain, or packages/report
// (`report`), one change at a time, and counts the changes that the tests of the same folder notice.
// The changes that no test noticed are in `node_modules/.cache/mutants/<folder>.txt`. A second run
// tries only what has changed since the first. PROOFMARK_MUTANTS_AT_ONCE (default: 1) is the number
// of concurrent tries.
//
// Stryker is installed on first use and is not among the dependencies: its 85 packages and 65 MB,
// for a command that runs a few times a month, would burden every `npm ci`
// (docs/decisions/0050-mutants.md).
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepareOrExit } from './prepare.mjs';

/** The newest Stryker version that runs on Node 20. */
const version = '9.6.1';
const packages = ['@stryker-mutator/core', '@stryker-mutator/vitest-runner'];
const usual = ['verdict', 'chain', 'assertions', 'gates', 'trials', 'swarms', 'access'];

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const cache = path.join(root, 'node_modules/.cache/mutants');
const rules = path.join(root, 'packages/domain/src');
const folders = process.argv.length > 2 ? process.argv.slice(2) : usual;

await prepareOrExit({ build: false });
const unknown = folders.find((folder) => !existsSync(path.join(root, sourceOf(folder))));
if (unknown !== undefined) {
  const known = readdirSync(rules, { withFileTypes: true }).filter((one) => one.isDirectory());
  const names = ['report', ...known.map(({ name }) => name)].join(', ');
  process.stderr.write(`There is no folder of rules ${unknown}; name one of ${names}.\n`);
  process.exit(2);
}
install();
const rows = folders.map((folder) => [folder, mutate(folder)]);
console.log('| Folder | Mutants | Killed | Survived | Score |\n|---|---|---|---|---|');
for (const [folder, { killed, survived }] of rows) {
  const all = killed + survived;
  const score = all === 0 ? '' : `${((100 * killed) / all).toFixed(1)} %`;
  console.log(`| \`${folder}\` | ${all} | ${killed} | ${survived} | ${score} |`);
}

function sourceOf(folder) {
  return folder === 'report' ? 'packages/report/src' : `packages/domain/src/${folder}`;
}

function install() {
  const isInstalled = packages.every((name) => {
    const file = path.join(cache, 'node_modules', name, 'package.json');
    return existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).version === version;
  });
  if (isInstalled) return;
  process.stderr.write('Installing Stryker.\n');
  mkdirSync(cache, { recursive: true });
  writeFileSync(path.join(cache, 'package.json'), '{ "private": true }\n');
  // Peer dependencies are not installed, because Stryker uses the Vitest of the repository.
  const flags = ['--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund'];
  const wanted = packages.map((name) => `${name}@${version}`);
  const { status } = spawnSync('npm', ['install', ...flags, '--save-exact', ...wanted], {
    cwd: cache,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) throw new Error('Stryker could not be installed; see the lines above.');
}

/** @returns {{ killed: number, survived: number }} */
function mutate(folder) {
  const report = path.join(cache, `${folder}.report.json`);
  const config = path.join(cache, `${folder}.config.json`);
  writeFileSync(config, JSON.stringify(configOf(folder, report)));
  const program = path.join(cache, 'node_modules/@stryker-mutator/core/bin/stryker.js');
  const { status } = spawnSync(process.execPath, [program, 'run', config], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, PROOFMARK_MUTANTS: sourceOf(folder) },
  });
  if (status !== 0) throw new Error(`The mutants of ${folder} could not be tried.`);
  const mutants = Object.entries(JSON.parse(readFileSync(report, 'utf8')).files).flatMap(
    ([file, { mutants: some }]) => some.map((mutant) => ({ file, ...mutant })),
  );
  const isAlive = ({ status: now }) => now === 'Survived' || now === 'NoCoverage';
  const alive = mutants.filter(isAlive);
  const lines = alive.map(
    ({ file, location, mutatorName, replacement }) =>
      `${file}:${location.start.line}:${location.start.column} ${mutatorName}: ${replacement.replaceAll(/\s+/g, ' ')}`,
  );
  writeFileSync(path.join(cache, `${folder}.txt`), `${lines.join('\n')}\n`);
  const killed = mutants.filter(({ status: now }) => now === 'Killed' || now === 'Timeout').length;
  return { killed, survived: alive.length };
}

function configOf(folder, report) {
  return {
    plugins: [path.join(cache, `node_modules/${packages[1]}/dist/src/index.js`)],
    testRunner: 'vitest',
    // Stryker asks Vitest for related files in a way that finds none under Vitest 4.
    vitest: { configFile: 'scripts/mutants/vitest.config.ts', related: false },
    coverageAnalysis: 'perTest',
    // Mutants of code that runs only while its file is loaded are ignored, because each would need
    // a separate process.
    ignoreStatic: true,
    incremental: true,
    incrementalFile: path.join(cache, `${folder}.incremental.json`),
    concurrency: Number(process.env['PROOFMARK_MUTANTS_AT_ONCE'] ?? 1),
    mutate: [`${sourceOf(folder)}/**/*.ts`, '!**/*.test.ts', '!**/*.fixture.ts'],
    ignorePatterns: ['/*', '!/packages', '!/scripts', '!/package.json', '!/tsconfig.json', 'dist'],
    // Vitest does not look for tests below node_modules, so the folder is elsewhere.
    tempDirName: `.proofmark/mutants-${folder}`,
    disableTypeChecks: false,
    reporters: ['json', 'progress-append-only'],
    jsonReporter: { fileName: report },
    allowConsoleColors: false,
  };
}
