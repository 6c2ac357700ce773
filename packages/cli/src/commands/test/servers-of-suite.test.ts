import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryDirectory } from '@proofmark/harness/temporary-directory.ts';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { chosenServers, serversOfSuite } from './chosen-servers.ts';
import { readSuiteToTest } from './suite-files.ts';

const directory = temporaryDirectory();
afterAll(() => directory.remove());
const file = path.join(directory.path, 'evals', 'shop.suite.yaml');
mkdirSync(path.dirname(file));

beforeEach(() => {
  vi.stubEnv('XDG_CONFIG_HOME', path.join(directory.path, `config-${Math.random()}`));
  vi.stubEnv('PROOFMARK_TRUST', '');
});
afterEach(() => vi.unstubAllEnvs());

function suiteWith(server: string): string {
  return `schemaVersion: "1"\nsuite: { id: s, name: s }\ntarget:\n  servers:\n    - ${server}\ncases: []\n`;
}

async function serversOf(server: string, flags = {}) {
  writeFileSync(file, suiteWith(server));
  return serversOfSuite(await readSuiteToTest(file), flags);
}

describe('a server that the suite file states', () => {
  test('is started in a folder relative to the file, with named variables only', async () => {
    vi.stubEnv('SHOP_KEY', 'k-1');
    const servers = await serversOf(
      '{ name: Shop, command: node, args: [server.js], env: [SHOP_KEY], cwd: .. }',
      { trust: true },
    );
    expect(servers).toMatchObject({ names: ['Shop'], only: 'Shop', isTyped: false });
    const server = servers?.read('Shop');
    expect(server).toMatchObject({ args: ['server.js'], cwd: directory.path });
    expect(server).toMatchObject({ env: { SHOP_KEY: 'k-1' } });
    expect(server).not.toHaveProperty('env.VITEST');
  });

  test('is called at its address without a question', async () => {
    const servers = await serversOf('{ name: Shop, url: "http://127.0.0.1:1/mcp" }');
    await servers?.agree('Shop');
    expect(servers?.read('Shop')).toMatchObject({ kind: 'http', url: 'http://127.0.0.1:1/mcp' });
  });

  test('needs its variables', async () => {
    const servers = await serversOf('{ name: Shop, command: node, env: [NOT_SET_ANYWHERE] }');
    expect(() => servers?.read('Shop')).toThrow('NOT_SET_ANYWHERE, which is not set');
  });

  test('is left to the check of the file if it has a mistake or states no reach', async () => {
    expect(await serversOf('{ name: Shop, command: node, url: "http://a.example" }')).toBe(
      undefined,
    );
    expect(await serversOf('{ name: Shop }')).toBe(undefined);
  });
});

describe('a program of a suite file', () => {
  const command = '{ name: Shop, command: node, args: [server.js], cwd: .. }';

  test('starts only with permission, and a changed command asks again', async () => {
    await expect((await serversOf(command))?.agree('Shop')).rejects.toThrow('is not trusted here');
    await (await serversOf(command, { trust: true }))?.agree('Shop');
    await (await serversOf(command))?.agree('Shop');
    const changed = await serversOf('{ name: Shop, command: node, args: [other.js], cwd: .. }');
    await expect(changed?.agree('Shop')).rejects.toThrow('is not trusted here');
  });

  test('is trusted if the same program was typed for the file before', async () => {
    const before = process.cwd();
    process.chdir(directory.path);
    try {
      const typed = await chosenServers({ serverCommand: 'node server.js', serverName: 'Shop' });
      typed?.remember(file);
    } finally {
      process.chdir(before);
    }
    await (await serversOf(command))?.agree('Shop');
  });

  test('is trusted if the commit of --trust-base states it, and no other', async () => {
    const git = (...words: string[]) =>
      execFileSync('git', ['-C', directory.path, ...words], { stdio: 'ignore' });
    writeFileSync(file, suiteWith(command));
    git('init', '--quiet', '--initial-branch', 'main');
    git('add', 'evals');
    const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
    git(...author, 'commit', '--quiet', '-m', 'suite');
    const flags = { trustBase: 'main' };
    await (await serversOf(command, flags))?.agree('Shop');
    const changed = await serversOf('{ name: Shop, command: sh, args: [steal.sh] }', flags);
    await expect(changed?.agree('Shop')).rejects.toThrow('has other content in the commit main');
    // With `--trust-base`, only the content of that commit is trusted. Neither a stored permission
    // nor PROOFMARK_TRUST extends it.
    await (
      await serversOf('{ name: Shop, command: sh, args: [steal.sh] }', { trust: true })
    )?.agree('Shop');
    vi.stubEnv('PROOFMARK_TRUST', '1');
    await expect(changed?.agree('Shop')).rejects.toThrow('has other content in the commit main');
    const unknown = await serversOf(command, { trustBase: 'no-such-branch' });
    await expect(unknown?.agree('Shop')).rejects.toThrow('is not in this repository');
    const elsewhere = await serversOf(command, flags);
    git('mv', file, path.join(path.dirname(file), 'moved.suite.yaml'));
    git(...author, 'commit', '--quiet', '-m', 'moved');
    await expect(elsewhere?.agree('Shop')).rejects.toThrow('has other content in the commit main');
    const option = await serversOf(command, { trustBase: '--help' });
    await expect(option?.agree('Shop')).rejects.toThrow('takes a commit');
  });
});
