/** What `npm run pack` makes can be installed and used in an empty folder, on a machine without this repository. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { version } from '@proofmark/contract';
import { temporaryDirectory } from '@proofmark/harness/temporary-directory.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { repositoryRoot } from '../architecture/repository-root.ts';
import { installInto, linkPackage, packInto } from './installed.ts';
import { foreignEnvironment, type StartedProofmark, startProofmark } from './start-proofmark.ts';

const run = promisify(execFile);
const directory = temporaryDirectory(0o755);
const [withCommand, withClient] = ['command', 'client'].map((name) =>
  path.join(directory.path, name),
) as [string, string];
afterAll(() => directory.remove());

beforeAll(async () => {
  const [command, client] = await packInto(path.join(directory.path, 'packed'));
  await installInto(withCommand, command);
  await installInto(withClient, client);
});

describe('the client', () => {
  const example = /```ts\n([^`]+)```/.exec(
    readFileSync(`${repositoryRoot}/README.md`, 'utf8'),
  )?.[1];

  test('is imported from an empty folder, and depends on nothing', async () => {
    const script =
      "import('@proofmark/client').then((all) => console.log(Object.keys(all).sort().join()))";
    const { stdout } = await run(process.execPath, ['-e', script], { cwd: withClient });
    expect(stdout).toContain('createApiClient');
    const bundle = readFileSync(
      `${withClient}/node_modules/@proofmark/client/dist/index.js`,
      'utf8',
    );
    expect(bundle).not.toMatch(/^import .* from/m);
    // Schemas and their library are not in it.
    expect(bundle.length).toBeLessThan(120_000);
  });

  test('has types: the example of the README is right, and a wrong call is not', async () => {
    writeFileSync(`${withClient}/right.mts`, example as string);
    writeFileSync(`${withClient}/wrong.mts`, `${example}await proofmark.listProjectServers({});\n`);
    const checked = await run(
      process.execPath,
      [
        path.join(repositoryRoot, 'node_modules/typescript-7/bin/tsc'),
        ...['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--target', 'es2022'],
        ...['--module', 'nodenext', '--types', 'node', '--pretty', 'false'],
        ...['--typeRoots', path.join(repositoryRoot, 'node_modules/@types')],
        ...['right.mts', 'wrong.mts'],
      ],
      { cwd: withClient },
    ).then(
      () => '',
      ({ stdout }: { stdout: string }) => stdout,
    );
    expect(checked).toMatch(/^wrong\.mts\(\d+,\d+\): error .*'projectId'/s);
    expect(checked.match(/error TS/g)).toHaveLength(1);
  });
});

describe('the command', () => {
  const program = `${withCommand}/node_modules/proofmark/bin/proofmark.js`;
  let service: StartedProofmark;

  test('serves its pages and the light command, whose hash and version it says', async () => {
    service = await startProofmark({
      ...{ folder: withCommand, program },
      parameters: ['serve', '--json', '--port', '0', '--no-sample', '--data-dir', 'data'],
    });
    const get = async (place: string) => {
      const answer = await fetch(`${service.url}${place}`);
      expect(answer.status, place).toBe(200);
      return Buffer.from(await answer.arrayBuffer());
    };
    expect(String(await get('/'))).toContain('<title>Proofmark</title>');
    const light = await get('/cli/proofmark.mjs');
    const said = JSON.parse(String(await get('/cli/proofmark.json')));
    const hash = createHash('sha256').update(light).digest('base64');
    expect(said).toEqual({ version, integrity: `sha256-${hash}` });
    const file = `${directory.path}/proofmark.mjs`;
    writeFileSync(file, light);
    const { stdout } = await run(process.execPath, [file, '--version'], { cwd: directory.path });
    expect(stdout).toBe(`${version}\n`);
  });

  test('is told what a run of Vitest came to, and its absence breaks none', async () => {
    const owner = ['--email', 'owner@acme.example', '--organization', 'Acme'];
    const { stdout } = await run(
      process.execPath,
      [program, 'admin', 'bootstrap', ...owner, '--json', '--data-dir', 'data'],
      { cwd: withCommand },
    );
    const { apiKey, projectId } = JSON.parse(stdout);
    const here = { PROOFMARK_URL: service.url, PROOFMARK_API_KEY: apiKey };
    const nowhere = { PROOFMARK_URL: 'http://127.0.0.1:9', PROOFMARK_API_KEY: 'sk_canary' };
    const [heard, unheard, strict, unset] = await Promise.all([
      runVitest('red', here),
      runVitest('green', nowhere),
      runVitest('strict', nowhere),
      runVitest('green', {}),
    ]);
    // Vitest itself ends with 1 for the test that fails.
    expect(heard).toMatchObject({ code: 1 });
    expect(heard.text).not.toContain('proofmark:');
    const unreached = 'the results were not reported. Could not reach http://127.0.0.1:9.';
    expect(unheard).toMatchObject({ code: 0, text: expect.stringContaining(unreached) });
    expect(strict).toMatchObject({ code: 1, text: expect.stringContaining('Could not reach') });
    expect(unset).toMatchObject({ code: 0, text: expect.stringContaining('is not set.') });
    expect(`${unheard.text}${strict.text}`).not.toContain('sk_canary');
    const api = `${service.url}/api/v1/projects/${projectId}`;
    const get = async (place: string) => {
      const answer = await fetch(`${api}/${place}`, {
        headers: { authorization: `Bearer ${apiKey}` },
      });
      return (await answer.json()) as { items: Record<string, unknown>[] };
    };
    const [suite] = (await get('eval-suites')).items;
    expect(suite).toMatchObject({ name: 'Unit' });
    const [made] = (await get(`eval-suites/${suite?.['id']}/runs`)).items;
    const trials = (await get(`eval-runs/${made?.['id']}/iterations`)).items;
    const told = trials.map(({ title, result, status, error }) => ({
      title,
      result,
      status,
      error,
    }));
    expect(told).toEqual([
      ...[{ title: 'sum.test.mjs::adds', result: 'passed', status: 'completed', error: null }],
      {
        ...{ title: 'sum.test.mjs::subtracts', result: 'failed', status: 'completed' },
        error: expect.stringContaining('expected 1 to be 2'),
      },
      { title: 'sum.test.mjs::later', result: null, status: 'skipped', error: null },
    ]);
  });

  test('ends when it is asked to', async () => {
    expect(await service.stop()).toEqual({ code: 0, signal: null });
  });

  test('takes at most 150 MB beside Node, everything it depends on included', async () => {
    const { stdout } = await run('du', ['-sLm', path.join(withCommand, 'node_modules')]);
    expect(Number.parseInt(stdout, 10)).toBeLessThanOrEqual(150);
  });
});

/** What the guide tells to write. */
const vitestConfig = /```ts\n([^`]+ProofmarkReporter[^`]+)```/.exec(
  readFileSync(`${repositoryRoot}/docs/guides/ci.md`, 'utf8'),
)?.[1] as string;

const vitestProjects: Readonly<Record<string, readonly [config: string, tests: string]>> = {
  green: [vitestConfig, "test('adds', () => expect(1 + 1).toBe(2));"],
  strict: [
    vitestConfig.replace('apiKey })', 'apiKey, failOnError: true })'),
    "test('adds', () => expect(1 + 1).toBe(2));",
  ],
  red: [
    vitestConfig,
    `test('adds', () => expect(1 + 1).toBe(2));
    test('subtracts', () => expect(2 - 1).toBe(2));
    test.skip('later', () => {});`,
  ],
};

/** A test run of somebody's, in a folder that installed the client. */
async function runVitest(
  name: string,
  environment: Record<string, string>,
): Promise<{ code: number; text: string }> {
  const [config, tests] = vitestProjects[name] as (typeof vitestProjects)[string];
  const folder = mkdtempSync(`${withClient}/${name}-`);
  linkPackage(withClient, 'vitest');
  writeFileSync(`${folder}/vitest.config.mjs`, config);
  writeFileSync(`${folder}/sum.test.mjs`, `import { expect, test } from 'vitest';\n${tests}\n`);
  const program = `${withClient}/node_modules/vitest/vitest.mjs`;
  const { NODE_OPTIONS: _, VITEST: __, ...others } = foreignEnvironment();
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [program, 'run'],
      { cwd: folder, env: { ...others, ...environment } },
      (error, stdout, stderr) =>
        resolve({ code: Number(error?.code ?? 0), text: `${stdout}${stderr}` }),
    );
  });
}
