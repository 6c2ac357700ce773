import { writeFileSync } from 'node:fs';
import { temporaryDirectory } from '@proofmark/harness/temporary-directory.ts';
import { afterAll, describe, expect, test } from 'vitest';
import { UsageProblem } from '../../remote/exit-codes.ts';
import { chosenServers } from './chosen-servers.ts';
import { pairsOf } from './saved-servers.ts';
import { exitCodeOf } from './test-suite.ts';

const directory = temporaryDirectory();
afterAll(() => directory.remove());

describe('a server by its command', () => {
  test('is found as the shell finds it, and gets what it is given and no more', async () => {
    const chosen = await chosenServers({
      serverCommand: 'node "my server.js"',
      serverEnv: ['KEY=a=b'],
      serverName: 'Mine',
    });
    expect(chosen?.only).toBe('Mine');
    const server = chosen?.read('Mine');
    expect(server).toMatchObject({ args: ['my server.js'], cwd: process.cwd() });
    expect(server).toMatchObject({ command: expect.stringMatching(/^\/.*node$/) });
    expect(server).toMatchObject({ env: { KEY: 'a=b', PATH: process.env['PATH'] } });
    expect(server).not.toHaveProperty('env.VITEST');
  });

  test.each([
    [
      { serverCommand: 'no-such-program-here' },
      'The command no-such-program-here cannot be started',
    ],
    [{ serverCommand: 'node "' }, '--server-command takes a command'],
    [{ serverCommand: 'node', serverEnv: ['NOT_SET_ANYWHERE'] }, 'NOT_SET_ANYWHERE'],
    [{ server: 'ftp://a.example' }, '--server takes an address'],
    [{ server: 'http://a.example', config: 'mcp.json' }, 'Give only one of'],
    [{ from: 'a.json', config: 'b.json' }, 'Give only one of'],
    [{ serverEnv: ['A=b'] }, '--server-env needs --server-command'],
  ])('is refused: %j', async (flags, sentence) => {
    const refused = chosenServers(flags);
    await expect(refused).rejects.toThrow(UsageProblem);
    await expect(refused).rejects.toThrow(sentence);
  });
});

describe('the file of a client', () => {
  const file = `${directory.path}/mcp.json`;

  test('is read with comments, and only the server that is used is filled in', async () => {
    writeFileSync(
      file,
      `{ // servers
        "servers": { "here": { "command": "node", "args": ["a//b"] }, /* not set */
          "there": { "url": "https://a.example/mcp", "headers": { "X": "\${env:NOT_SET_ANYWHERE}" } }, }, }`,
    );
    const chosen = await chosenServers({ config: file });
    expect(chosen).toMatchObject({ names: ['here', 'there'], only: undefined });
    expect(chosen?.read('here')).toMatchObject({ args: ['a//b'], cwd: directory.path });
    expect(() => chosen?.read('there')).toThrow('NOT_SET_ANYWHERE, which is not set');
    expect((await chosenServers({ config: file, serverName: 'there' }))?.only).toBe('there');
    await expect(chosenServers({ config: file, serverName: 'x' })).rejects.toThrow('here, there');
  });

  test.each([
    ['{', 'is not valid JSON'],
    ['{}', 'names no servers'],
  ])('is not %j', async (text, sentence) => {
    writeFileSync(file, text);
    await expect(chosenServers({ config: file })).rejects.toThrow(sentence);
  });
});

describe('which server a name of the suite stands for', () => {
  const pairs = (servers: string[], names: string[], only?: string) =>
    pairsOf({ file: 's.yaml', servers }, { names, only });

  test('the only one, whatever it is called', () => {
    expect(pairs([], ['A'], 'A')).toEqual([['A', 'A']]);
    expect(pairs(['Shop'], ['A'], 'A')).toEqual([['Shop', 'A']]);
  });

  test('those of its name, where there are several', () => {
    expect(pairs(['B', 'Other'], ['A', 'B', 'C'])).toEqual([['B', 'B']]);
    expect(pairs(['A'], ['A', 'B'], 'B')).toEqual([['A', 'B']]);
  });

  test('nobody guesses', () => {
    expect(() => pairs([], ['A', 'B'])).toThrow('--server-name: A, B');
    expect(() => pairs(['X', 'Y'], ['A'], 'A')).toThrow('names the servers X, Y');
  });
});

test.each([
  [[0, 0], 0],
  [[0, 3, 1], 1],
  [[0, 3], 3],
])('suites that end with %j end with %i together', (codes, code) => {
  expect(exitCodeOf(codes.map((exitCode) => ({ exitCode })))).toBe(code);
});
