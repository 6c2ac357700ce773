// `npm test`: prepares the clone, then runs its tests (scripts/test-sets.mjs), type check and lint.
// `--all` runs all tests and the versions of Node, `--rest` the tests that `npm test` leaves out;
// other arguments go to vitest. Each step prints its name and its result. The last line is always
// `N passed, N failed`, where type check and lint count one each, and a failure outside a test
// counts as failed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkTypes, runQuietly } from './check-types.mjs';
import { fetchNode, nodeVersions } from './fetch-node.mjs';
import { findBrowser } from './find-browser.mjs';
import { findNginx } from './find-nginx.mjs';
import { prepare } from './prepare.mjs';
import { readVitestReport } from './read-vitest-report.mjs';
import { filesOnVersions } from './test-sets.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const biome = path.join(root, 'node_modules/@biomejs/biome/bin/biome');
const total = { passed: 0, failed: 0 };
const untested = [];
const given = process.argv.slice(2);
const commands = { '': 'every run', '--rest': 'rest', '--all': 'all' };
/** Undefined if the arguments are passed to vitest. */
const command = commands[given.join(' ')];

try {
  await prepare({ build: false });
  // The type check and lint run beside the builds and the first tests, which leave cores free.
  // Their findings are printed at the end.
  const types = command === 'rest' ? undefined : checkTypes();
  const lint = command === 'rest' ? undefined : runQuietly(biome, ['check', '.']);
  try {
    await prepare({ build: true });
    await step('Tests', runVitest);
    if (command === 'all') await step('Versions of Node', runOnVersions);
  } finally {
    if (types) await step('Type check', async () => count(await types));
    if (lint) await step('Lint', async () => count(await lint));
  }
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  total.failed += 1;
}
for (const sentence of untested) process.stderr.write(`\n${sentence}\n\n`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;

async function step(name, run) {
  console.log(`${name} …`);
  const { passed, failed } = await run();
  console.log(`${name}: ${failed === 0 ? 'ok' : 'failed'}\n`);
  total.passed += passed;
  total.failed += failed;
}

function count({ code, output }) {
  process.stdout.write(output);
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

async function runVitest() {
  const browser = findBrowser({ install: true });
  if (browser === undefined) {
    process.stderr.write('No Chromium was found; install one or name it in PROOFMARK_CHROMIUM.\n');
  }
  if (findNginx({ install: true }) === undefined) {
    untested.push(
      'NOT TESTED: the service behind a proxy, since no nginx was found; PROOFMARK_NGINX names one, and PROOFMARK_REQUIRE_NGINX=1 makes this a failure.',
    );
  }
  return countVitest(command === undefined ? given : [], {
    ...(command !== undefined && { PROOFMARK_TEST_SET: command }),
    ...(browser !== undefined && { PROOFMARK_CHROMIUM: browser }),
  });
}

/**
 * Runs some journeys on the oldest version and the newest of each supported line of Node. The
 * output and verdicts must be the same.
 */
async function runOnVersions() {
  const sum = { passed: 0, failed: 0 };
  for (const version of nodeVersions) {
    const node = fetchNode(version);
    if (node === undefined) {
      untested.push(
        `NOT TESTED: Node ${version}, since it could not be fetched from the npm registry.`,
      );
      continue;
    }
    console.log(`Node ${version} …`);
    const places = [path.dirname(node), process.env['PATH']];
    const { passed, failed } = await countVitest(
      ['--project=journeys', ...filesOnVersions()],
      { PATH: places.join(path.delimiter) },
      node,
    );
    sum.passed += passed;
    sum.failed += failed;
  }
  return sum;
}

async function countVitest(vitestArguments, environment, node = process.execPath) {
  const folder = mkdtempSync(path.join(tmpdir(), 'proofmark-test-'));
  const report = path.join(folder, 'report.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  try {
    const code = await runVitestOn(node, ['run', ...reporters, ...vitestArguments], environment);
    const counted = readVitestReport(report, code);
    return counted.passed + counted.failed === 0 ? { passed: 0, failed: 1 } : counted;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runVitestOn(node, vitestArguments, environment) {
  const tool = spawn(
    node,
    [path.join(root, 'node_modules/vitest/vitest.mjs'), ...vitestArguments],
    {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, ...environment },
    },
  );
  const [code] = await once(tool, 'close');
  return code ?? 1;
}
