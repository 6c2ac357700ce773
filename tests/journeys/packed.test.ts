/** What `npm run pack` makes can be installed and used in an empty folder, on a machine without this repository. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { version } from '@proofmark/contract';
import { temporaryDirectory } from '@proofmark/harness/temporary-directory.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { repositoryRoot } from '../architecture/repository-root.ts';
import { installInto, packInto } from './installed.ts';
import { startProofmark } from './start-proofmark.ts';

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

  test('serves its pages and the light command, whose hash and version it says', async () => {
    const service = await startProofmark({
      ...{ folder: withCommand, program },
      parameters: ['serve', '--json', '--port', '0', '--no-sample', '--data-dir', 'data'],
    });
    try {
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
    } finally {
      expect(await service.stop()).toEqual({ code: 0, signal: null });
    }
  });

  test('takes at most 150 MB beside Node, everything it depends on included', async () => {
    const { stdout } = await run('du', ['-sLm', path.join(withCommand, 'node_modules')]);
    expect(Number.parseInt(stdout, 10)).toBeLessThanOrEqual(150);
  });
});
