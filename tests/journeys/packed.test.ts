/**
 * Tests that the packages of `npm run pack` can be installed and used in an empty folder, without
 * this repository.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { version } from '@proofmark/contract';
import { type OwnServer, writeOwnServer } from '@proofmark/harness/journeys/own-stdio-server.ts';
import {
  foreignEnvironment,
  type StartedProofmark,
  spawnProofmark,
  startProofmark,
} from '@proofmark/harness/journeys/start-proofmark.ts';
import { startFakeMcpServer } from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import { temporaryDirectory } from '@proofmark/harness/temporary-directory.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { repositoryRoot } from '../architecture/repository-root.ts';
import { installInto, linkPackage, packInto } from './installed.ts';

const run = promisify(execFile);
let directory: ReturnType<typeof temporaryDirectory>;
let withCommand: string;
let withClient: string;
afterAll(() => directory.remove());

beforeAll(async () => {
  directory = temporaryDirectory(0o755);
  withCommand = path.join(directory.path, 'command');
  withClient = path.join(directory.path, 'client');
  const [command, client] = await packInto(path.join(directory.path, 'packed'));
  await installInto(withCommand, command);
  await installInto(withClient, client);
});

const example = /```ts\n([^`]+)```/.exec(readFileSync(`${repositoryRoot}/README.md`, 'utf8'))?.[1];

describe('both packages', () => {
  test('carry the licences of what is bundled in them', () => {
    const noticesOf = (folder: string, name: string) =>
      readFileSync(`${folder}/node_modules/${name}/THIRD-PARTY-NOTICES`, 'utf8');
    const command = noticesOf(withCommand, 'proofmark');
    for (const name of ['react-dom', '@tanstack/react-router', 'undici', 'sax', 'commander'])
      expect(command).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(`, 'm'));
    expect(command).toContain('Copyright (c) Meta Platforms');
    expect(command).not.toMatch(/^(vitest|typescript|pg) \d/m);
    const client = noticesOf(withClient, '@proofmark/client');
    expect(client).toContain('Code of others that is part of this package');
  });
});

describe('the client', () => {
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
    // The bundle must contain neither the schemas nor their library.
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
  const started = ['--server-command', 'node server.js'];
  let program: string;
  let home: string;
  let light: string;
  let service: StartedProofmark | undefined;
  beforeAll(() => {
    program = `${withCommand}/node_modules/proofmark/bin/proofmark.js`;
    home = path.join(directory.path, 'own');
    light = path.join(directory.path, 'proofmark.mjs');
  });
  afterAll(() => service?.stop());

  const runIn = async (file: string, parameters: readonly string[], environment = {}) => {
    const given = { folder: home, program: file, parameters, environment };
    const child = spawnProofmark({ ...given, environment: { LC_ALL: 'C.UTF-8', ...environment } });
    const { code } = await child.ended;
    return { code, stdout: child.stdout(), stderr: child.stderr() };
  };
  const proofmark = (...parameters: string[]) => runIn(program, parameters);
  // A paired comparison of two runs needs at least six cases, and a first suite has two per tool.
  const others = [
    { name: 'list_tables', description: 'Lists the tables.', says: '"Two."' },
    { name: 'get_menu', description: 'Gets the menu.', says: '"Soup."' },
  ];
  const breakServer = (server: OwnServer) =>
    writeOwnServer(path.join(home, 'server.js'), { others, ...server });
  /**
   * Runs `proofmark test`, checks its exit code, and returns the id of the last run in the output,
   * which belongs to the suite of prompts.
   */
  const tested = async (code: number, ...parameters: string[]): Promise<string> => {
    const done = await proofmark('test', '--json', ...parameters);
    expect(done.code, done.stdout + done.stderr).toBe(code);
    return JSON.parse(done.stdout.trimEnd().split('\n').at(-1) ?? '').runId;
  };
  const addressAndKey = () => {
    const { url, key } = JSON.parse(readFileSync(`${home}/.proofmark/service.json`, 'utf8'));
    return { PROOFMARK_URL: url as string, PROOFMARK_API_KEY: key as string };
  };

  test('leads from a server to its verdict by the commands of the README, without a clone', async () => {
    mkdirSync(home);
    writeFileSync(path.join(home, 'package.json'), '{ "type": "module" }');
    breakServer({});
    const readme = readFileSync(`${repositoryRoot}/README.md`, 'utf8');
    const typed = [...readme.matchAll(/^proofmark ((?:init|test)[^#\n]*)/gm)].map(
      ([, words = '']) =>
        (words.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', '')),
    );
    expect(typed).toEqual([['init', ...started], ['test']]);
    for (const words of typed) {
      const done = await proofmark(...words);
      expect(done.code, done.stdout + done.stderr).toBe(0);
    }
  });

  test('serves its pages and the light command, whose hash and version it says', async () => {
    service = await startProofmark({
      folder: home,
      program,
      parameters: ['serve', '--json', '--port', '0', '--no-sample'],
      // Many concurrent commands call this service.
      environment: { PROOFMARK_RATE_LIMIT: 'off' },
    });
    const get = async (place: string) => {
      const answer = await fetch(`${service?.url}${place}`);
      expect(answer.status, place).toBe(200);
      return Buffer.from(await answer.arrayBuffer());
    };
    expect(String(await get('/'))).toContain('<title>Proofmark</title>');
    const served = await get('/cli/proofmark.mjs');
    const manifest = JSON.parse(String(await get('/cli/proofmark.json')));
    const hash = createHash('sha256').update(served).digest('base64');
    expect(manifest).toEqual({ version, integrity: `sha256-${hash}` });
    writeFileSync(light, served);
    const { stdout } = await run(process.execPath, [light, '--version'], { cwd: directory.path });
    expect(stdout).toBe(`${version}\n`);
  });

  test('ends by what came of it: red, no result, wrong use, and green when it is mended', async () => {
    await tested(0);
    const green = await tested(0, '--repetitions', '5');
    breakServer({ toolName: 'something_else', others: [] });
    const red = await tested(1, '--repetitions', '5');
    breakServer({ crash: 'It has no settings.' });
    const none = await tested(3);
    const wrong = await proofmark('test', '--repetitions', 'many');
    expect(wrong).toMatchObject({ code: 2, stdout: '' });
    expect(wrong.stderr).toContain('Give a number from 1 to 100.');
    breakServer({});
    const mended = await tested(0, '--repetitions', '5');

    const gate = async (...parameters: string[]) => {
      const { code, stdout } = await proofmark('eval', 'gate', ...parameters);
      return [code, stdout.split(' by the given bounds')[0]];
    };
    const gates = [
      gate(mended, '--min-pass-rate', '0.9'),
      gate(red, '--min-pass-rate', '0.9'),
      gate(none, '--min-pass-rate', '0.9'),
      gate(red, '--min-pass-rate', '101'),
      gate(mended, '--baseline', green),
      gate(red, '--baseline', 'previous'),
      // The previous run had one trial per case; the comparison is paired by case.
      gate(green, '--baseline', 'previous'),
    ];
    expect(await Promise.all(gates)).toEqual([
      [0, 'PASSED'],
      [1, 'FAILED'],
      [3, 'INCONCLUSIVE'],
      [2, ''],
      [0, 'PASSED'],
      [1, 'FAILED'],
      [0, 'PASSED'],
    ]);
  });

  test('light, it tests a server at an address on a service, and says what it cannot', async () => {
    const tool = {
      name: 'find_book',
      description: 'Finds a book.',
      inputSchema: { type: 'object' },
    };
    const annotations = { readOnlyHint: true };
    const mcp = await startFakeMcpServer({
      'tools/list': { tools: [{ ...tool, annotations }] },
      'tools/call': { content: [{ type: 'text', text: 'Found.' }] },
    });
    try {
      const named = ['desk.yaml', '--server', mcp.url, '--server-name', 'desk'];
      // The light command must find the service of this folder, as the full command does.
      const made = await runIn(light, ['init', ...named]);
      expect(made.code, made.stderr).toBe(0);
      const { PROOFMARK_URL, PROOFMARK_API_KEY } = addressAndKey();
      const elsewhere = { PROOFMARK_DATA_DIR: 'elsewhere', PROOFMARK_API_KEY };
      const there = ['--url', PROOFMARK_URL];
      const green = await runIn(light, ['test', ...named, ...there], elsewhere);
      expect(green.code, green.stdout + green.stderr).toBe(0);
      expect(green.stdout).toContain('Case variants that met their threshold');
    } finally {
      await mcp.stop();
    }
    const program = await runIn(light, ['test', ...started]);
    expect(program).toMatchObject({ code: 2, stdout: '' });
    expect(program.stderr).toMatch(/cannot start programs.*--server, or install the whole/s);
    const nobody = await runIn(light, ['test'], { PROOFMARK_DATA_DIR: 'elsewhere' });
    expect(nobody).toMatchObject({ code: 2, stdout: '' });
    expect(nobody.stderr).toMatch(/name one with --url .*or install the whole/s);
  });

  test('runs the example of the README with the client, as it stands there', async () => {
    const { PROOFMARK_URL: url, PROOFMARK_API_KEY } = addressAndKey();
    const script = `${example}console.log(items.map(({ name }) => name).join());\n`;
    expect(script).toContain('http://127.0.0.1:3300');
    writeFileSync(`${withClient}/example.mjs`, script.replace('http://127.0.0.1:3300', url));
    const { stdout } = await run(process.execPath, ['example.mjs'], {
      cwd: withClient,
      env: { ...process.env, PROOFMARK_API_KEY },
    });
    expect(stdout).toBe('Default\n');
  });

  test('is told what a run of Vitest came to, and the absence of its service breaks none, unless that is wanted', async () => {
    const here = addressAndKey();
    const apiKey = here.PROOFMARK_API_KEY;
    const nowhere = { PROOFMARK_URL: 'http://127.0.0.1:9', PROOFMARK_API_KEY: 'sk_canary' };
    const [withService, withoutService, strict, unset] = await Promise.all([
      runVitest('red', here),
      runVitest('green', nowhere),
      runVitest('strict', nowhere),
      runVitest('green', {}),
    ]);
    // The exit code 1 is vitest's own, for the failing test.
    expect(withService).toMatchObject({ code: 1 });
    expect(withService.text).not.toContain('proofmark:');
    const unreached = 'the results were not reported. Could not reach http://127.0.0.1:9.';
    expect(withoutService).toMatchObject({ code: 0, text: expect.stringContaining(unreached) });
    expect(strict).toMatchObject({ code: 1, text: expect.stringContaining('Could not reach') });
    expect(unset).toMatchObject({ code: 0, text: expect.stringContaining('is not set.') });
    expect(`${withoutService.text}${strict.text}`).not.toContain('sk_canary');
    const get = async (place: string) => {
      const answer = await fetch(`${here.PROOFMARK_URL}/api/v1/projects${place}`, {
        headers: { authorization: `Bearer ${apiKey}` },
      });
      return (await answer.json()) as { items: Record<string, unknown>[] };
    };
    const [project] = (await get('')).items;
    const suites = (await get(`/${project?.['id']}/eval-suites`)).items;
    const suite = suites.find(({ name }) => name === 'Unit');
    const [made] = (await get(`/${project?.['id']}/eval-suites/${suite?.['id']}/runs`)).items;
    const trials = (await get(`/${project?.['id']}/eval-runs/${made?.['id']}/iterations`)).items;
    const rows = trials.map(({ title, result, status, error }) => ({
      title,
      result,
      status,
      error,
    }));
    expect(rows).toEqual([
      ...[{ title: 'sum.test.mjs::adds', result: 'passed', status: 'completed', error: null }],
      {
        title: 'sum.test.mjs::subtracts',
        result: 'failed',
        status: 'completed',
        error: expect.stringContaining('expected 1 to be 2'),
      },
      { title: 'sum.test.mjs::later', result: null, status: 'skipped', error: null },
    ]);
  });

  test('takes at most 150 MB beside Node, everything it depends on included', async () => {
    const { stdout } = await run('du', ['-sLm', path.join(withCommand, 'node_modules')]);
    expect(Number.parseInt(stdout, 10)).toBeLessThanOrEqual(150);
  });
});

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
