// `npm test`: makes the clone ready, then all tests but the long ones, type check and lint; `--long` has the files
// with long ones, and any other arguments go to vitest, which then leaves none out. Each step says its name and its
// result. The last line is always `N passed, N failed`, where type check and lint count one each and whatever breaks
// outside a test counts as failed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkTypes, runQuietly } from './check-types.mjs';
import { findBrowser } from './find-browser.mjs';
import { findNginx } from './find-nginx.mjs';
import { prepare } from './prepare.mjs';
import { readVitestReport } from './read-vitest-report.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const biome = path.join(root, 'node_modules/@biomejs/biome/bin/biome');
const total = { passed: 0, failed: 0 };
/** What of the whole is left out here. */
const untested = [];

try {
  await prepare({ build: false });
  // Beside the builds and the tests, which do not keep all cores busy as they begin; what was found is told at the end.
  const types = checkTypes();
  const lint = runQuietly(biome, ['check', '.']);
  try {
    await prepare({ build: true });
    await step('Tests', () => runVitest(process.argv.slice(2)));
  } finally {
    await step('Type check', async () => count(await types));
    await step('Lint', async () => count(await lint));
  }
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  total.failed += 1;
}
// Said at the end, where it is read.
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

function count({ code, said }) {
  process.stdout.write(said);
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

async function runVitest(vitestArguments) {
  const isLong = vitestArguments.join() === '--long';
  const browser = findBrowser({ install: true });
  if (browser === undefined) {
    process.stderr.write('No Chromium was found; install one or name it in PROOFMARK_CHROMIUM.\n');
  }
  if (findNginx({ install: true }) === undefined) {
    untested.push(
      'NOT TESTED: the service behind a proxy, since no nginx was found; PROOFMARK_NGINX names one, and PROOFMARK_REQUIRE_NGINX=1 makes this a failure.',
    );
  }
  const folder = mkdtempSync(path.join(tmpdir(), 'proofmark-test-'));
  const report = path.join(folder, 'report.json');
  try {
    const code = await runTool(
      'vitest/vitest.mjs',
      [
        'run',
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${report}`,
        ...(isLong ? longFiles() : vitestArguments),
        ...(vitestArguments.length === 0 ? ['--tagsFilter=!long'] : []),
      ],
      {
        ...((isLong || vitestArguments.length === 0) && { PROOFMARK_TEST_TOGETHER: 'on' }),
        ...(browser !== undefined && { PROOFMARK_CHROMIUM: browser }),
      },
    );
    const counted = readVitestReport(report, code);
    return counted.passed + counted.failed === 0 ? { passed: 0, failed: 1 } : counted;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Whole: a long test may need what those before it have made. */
function longFiles() {
  return ['packages', 'tests', 'scripts'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true })
      .map((file) => path.join(folder, file))
      .filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules'))
      .filter((file) => readFileSync(path.join(root, file), 'utf8').includes("tags: ['long']")),
  );
}

async function runTool(script, toolArguments, environment = {}) {
  const file = path.join(root, 'node_modules', script);
  const tool = spawn(process.execPath, [file, ...toolArguments], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...environment },
  });
  const [code] = await once(tool, 'close');
  return code ?? 1;
}
