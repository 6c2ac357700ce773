import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryDirectory } from '@proofmark/harness/temporary-directory.ts';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { serversFoundHere } from './server-choice.ts';
import { findServersFile, serversOfFile } from './servers-of-file.ts';

const directory = temporaryDirectory();
const before = process.cwd();
let folder = '';
let made = 0;

beforeEach(() => {
  made += 1;
  const place = path.join(directory.path, `folder-${made}`);
  mkdirSync(path.join(place, '.vscode'), { recursive: true });
  folder = realpathSync(place);
  vi.stubEnv('XDG_CONFIG_HOME', path.join(directory.path, `config-${made}`));
  vi.stubEnv('PROOFMARK_TRUST', '');
  process.chdir(folder);
});
afterEach(() => {
  process.chdir(before);
  vi.unstubAllEnvs();
});
afterAll(() => directory.remove());

const write = (file: string, content: object) => writeFileSync(file, JSON.stringify(content));
const program = { command: 'node', args: ['server.mjs'] };
const ownPackage = { name: '@ann/weather', version: '1.0.0', bin: 'main.mjs' };
const serverJson = {
  name: 'io.github.ann/weather',
  packages: [{ registryType: 'npm', identifier: '@ann/weather', transport: { type: 'stdio' } }],
};

describe('a program of a file', () => {
  test.each<[string, object, string]>([
    ['.mcp.json', { mcpServers: { weather: program } }, 'server.mjs'],
    ['claude_desktop_config.json', { mcpServers: { weather: program } }, 'server.mjs'],
    ['.vscode/mcp.json', { servers: { weather: program } }, 'server.mjs'],
    ['server.json', serverJson, 'main.mjs'],
    ['package.json', ownPackage, 'main.mjs'],
  ])(
    'is read from %s, starts in its folder and needs permission',
    async (file, content, script) => {
      write('package.json', ownPackage);
      write(file, content);
      const servers = await serversOfFile(file, {});
      expect(servers).toMatchObject({ names: ['weather'], only: 'weather', isTyped: false });
      expect(servers.read('weather')).toMatchObject({ args: [script], cwd: folder });
      await expect(servers.agree('weather')).rejects.toThrow('Allow it with --trust');
      await (await serversOfFile(file, { trust: true })).agree('weather');
      await servers.agree('weather');
    },
  );

  test('is shown with the others that are started, since --trust allows all', async () => {
    write('.mcp.json', { mcpServers: { one: program, two: { command: 'evil' } } });
    const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const servers = await serversOfFile('.mcp.json', {});
    await expect(servers.agree('one', 'two')).rejects.toThrow('Allow it with --trust');
    const output = stderr.mock.calls.join('');
    stderr.mockRestore();
    expect(output).toContain('node server.mjs (one)');
    expect(output).toContain('evil (two)');
  });

  test('is taken over from --trust-base only if the commit starts the same', async () => {
    const git = (...words: string[]) => execFileSync('git', words, { stdio: 'ignore' });
    write('package.json', ownPackage);
    write('server.json', serverJson);
    git('init', '--quiet', '--initial-branch', 'main');
    git('add', '.');
    git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '--quiet', '-m', 'a');
    const agree = async () =>
      (await serversOfFile('server.json', { trustBase: 'main' })).agree('weather');
    await agree();
    // The server of server.json starts the program that package.json defines, so a changed
    // package.json changes the server.
    write('package.json', { ...ownPackage, bin: 'other.mjs' });
    await expect(agree()).rejects.toThrow('has other content in the commit main');
  });
});

describe('without a flag', () => {
  test('the first file with exactly one server counts', () => {
    write('package.json', ownPackage);
    expect(findServersFile([]).found).toEqual({ file: 'package.json', name: 'weather' });
    write('server.json', serverJson);
    expect(findServersFile([]).found).toEqual({ file: 'server.json', name: 'weather' });
    write('.mcp.json', { mcpServers: { one: program, two: program } });
    expect(findServersFile([]).found).toEqual({ file: 'server.json', name: 'weather' });
    rmSync('server.json');
    rmSync('package.json');
    expect(findServersFile([]).found).toBeUndefined();
  });

  test('the file with the server that the suite names counts, however many it has', () => {
    write('.mcp.json', { mcpServers: { one: program, two: program } });
    write('package.json', ownPackage);
    expect(findServersFile(['two']).found).toEqual({ file: '.mcp.json', name: 'two' });
    expect(findServersFile(['other']).found).toEqual({ file: 'package.json', name: 'weather' });
    expect(findServersFile(['one', 'other']).found).toBeUndefined();
  });

  test('a file that cannot be read names no server, and is told though another file serves', async () => {
    writeFileSync('.mcp.json', '{\n  "mcpServers": {\n    weather\n');
    expect(findServersFile([]).found).toBeUndefined();
    write('.vscode/mcp.json', { mcpServer: { weather: program } });
    write('package.json', ownPackage);
    const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const servers = await serversFoundHere({});
    const output = stderr.mock.calls.map(([line]) => line);
    stderr.mockRestore();
    expect(servers).toMatchObject({ file: 'package.json' });
    expect(output).toEqual([
      'proofmark: warning: .mcp.json is not valid JSON; see line 3. It is not used.\n',
      'proofmark: warning: .vscode/mcp.json names no servers, neither under mcpServers nor under servers. It is not used.\n',
      'proofmark: using the server weather of package.json; choose another with --from or --server-command.\n',
    ]);
  });

  test('a package or a file of another kind without a server is no mistake', () => {
    write('server.json', { port: 8080 });
    write('package.json', { name: 'site' });
    write('.mcp.json', { mcpServers: {} });
    expect(findServersFile([])).toEqual({ found: undefined, broken: [] });
  });
});
