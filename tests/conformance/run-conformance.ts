/**
 * Runs the client scenarios of the public conformance suite against the API of a real service, and
 * writes the results into a table of the documents. Exits with 1 if a relevant check fails.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  createTestWorkspace,
  type TestWorkspace,
} from '@proofmark/harness/journeys/test-workspace.ts';
import { type Outcome, tableOf } from './conformance-table.ts';
import { type Scenario, scenarios } from './scenarios.ts';

interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'INFO' | 'SKIPPED';
  readonly description: string;
  readonly errorMessage?: string;
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const suite = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/conformance/dist/index.js',
);
const loopback = new URL(
  '../../packages/harness/src/mcp-servers/bind-to-loopback.mjs',
  import.meta.url,
).href;
const documentFile = path.join(root, 'docs/reference/conformance.md');

const workspace = createTestWorkspace();
try {
  const environment = await startService(workspace);
  const outcomes: Outcome[] = [];
  for (const scenario of scenarios) {
    const outcome = scenario.plan ? await run(scenario, environment) : { scenario };
    outcomes.push(outcome);
    const words = outcome.problems?.join('; ') ?? 'does not apply';
    process.stdout.write(`${scenario.name}: ${words || 'passed'}\n`);
  }
  writeFileSync(documentFile, tableOf(outcomes));
  const failed = outcomes.filter(({ problems = [] }) => problems.length > 0);
  const applied = outcomes.filter(({ problems }) => problems !== undefined);
  const partly = applied.filter(
    (outcome) => !failed.includes(outcome) && outcome.scenario.failedOnPurpose !== undefined,
  );
  const passed = applied.length - failed.length - partly.length;
  process.stdout.write(
    `${passed} passed, ${partly.length} partly on purpose, ${failed.length} failed\n`,
  );
  process.exitCode = failed.length === 0 ? 0 : 1;
} finally {
  await workspace.remove();
}

async function startService({ serve, admin }: TestWorkspace): Promise<NodeJS.ProcessEnv> {
  const service = await serve([], { PROOFMARK_RATE_LIMIT: 'off' });
  const owner = ['--email', 'owner@conformance.example', '--organization', 'conformance'];
  const { projectId, apiKey } = await admin('bootstrap', ...owner);
  return {
    ...process.env,
    CONFORMANCE_API: `${service.url}/api/v1/projects/${projectId}/servers`,
    CONFORMANCE_KEY: apiKey,
  };
}

async function run(scenario: Scenario, environment: NodeJS.ProcessEnv): Promise<Outcome> {
  const folder = path.join(workspace.folder, scenario.name.replaceAll('/', '-'));
  const child = spawn(
    process.execPath,
    [
      ...['--import', loopback, suite, 'client', '--scenario', scenario.name],
      ...['--command', 'node --import tsx tests/conformance/api-client.ts'],
      ...['--output-dir', folder],
    ],
    { cwd: root, env: environment, stdio: 'ignore' },
  );
  await once(child, 'close');
  const results = path.dirname(found(folder, 'checks.json'));
  const checks = JSON.parse(readFileSync(path.join(results, 'checks.json'), 'utf8')) as Check[];
  const complaint = /^Error: (.*)$/m.exec(readFileSync(path.join(results, 'stderr.txt'), 'utf8'));
  const { notOurs = [], failedOnPurpose = [] } = scenario;
  const ours = checks.filter(({ id }) => !notOurs.includes(id));
  const bad = ours.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');
  const problems = bad
    .filter(({ id }) => !failedOnPurpose.includes(id))
    .map(({ id, description, errorMessage }) => `${id}: ${errorMessage ?? description}`);
  const stale = failedOnPurpose
    .filter((id) => !bad.some((check) => check.id === id))
    .map((id) => `${id} is said to fail on purpose and did not`);
  const passed = new Set(ours.filter(({ status }) => status === 'SUCCESS').map(({ id }) => id));
  return {
    scenario,
    passed: passed.size,
    problems: [...problems, ...stale, ...(complaint ? [complaint[1] as string] : [])],
  };
}

/**
 * The suite writes its results into a folder with the time in its name, so the file is searched for
 * by name in all folders.
 */
function found(folder: string, name: string): string {
  const file = readdirSync(folder, { recursive: true }).find((entry) =>
    String(entry).endsWith(name),
  );
  if (file === undefined) throw new Error(`The suite left no ${name} in ${folder}.`);
  return path.join(folder, String(file));
}
