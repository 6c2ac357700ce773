// biome-ignore-all lint/suspicious/noTemplateCurlyInString: such texts are what is read here.
import { describe, expect, test } from 'vitest';
import {
  commandWords,
  nameOfCommand,
  serverOfClientFile,
  serversOfClientFile,
} from './client-file.ts';

const fillIn = { environment: { TOKEN: 't0', EMPTY: '' }, folder: '/folder' };
const read = (entry: Record<string, unknown>) => serverOfClientFile('Shop', entry, fillIn);

describe('the configuration file of a client', () => {
  test.each(['mcpServers', 'servers'])('names its servers under %s', (key) => {
    const entry = { command: 'node' };
    expect([...(serversOfClientFile({ [key]: { Shop: entry, odd: 3 } }) ?? [])]).toEqual([
      ['Shop', entry],
    ]);
  });

  test.each([[[]], [null], [{}], [{ servers: [] }]])('is not %j', (file) => {
    expect(serversOfClientFile(file)).toBeUndefined();
  });

  test('says how a program is started', () => {
    const entry = {
      type: 'stdio',
      command: 'node',
      args: ['${workspaceFolder}/s.js', '${env:TOKEN}'],
      env: { KEY: 'x${TOKEN}', LEVEL: '${LEVEL:-info}', NONE: '${EMPTY}' },
      cwd: './sub',
    };
    expect(read(entry)).toEqual({
      server: {
        kind: 'stdio',
        name: 'Shop',
        command: 'node',
        args: ['/folder/s.js', 't0'],
        env: { KEY: 'xt0', LEVEL: 'info', NONE: '' },
        cwd: './sub',
      },
    });
  });

  test('says where a server is, with its headers', () => {
    const headers = { Authorization: 'Bearer ${env:TOKEN}' };
    expect(read({ type: 'http', url: 'https://a.example/mcp', headers })).toEqual({
      server: {
        kind: 'http',
        name: 'Shop',
        url: 'https://a.example/mcp',
        headers: { Authorization: 'Bearer t0' },
      },
    });
  });

  test.each([
    [{ command: 'a', env: { K: '${env:GONE}' } }, 'needs the environment variable GONE, which is'],
    [{ command: 'a', args: ['${input:api-key}'] }, 'asks its editor for "api-key"; write ${env:'],
    [
      { command: '${config:x}' },
      'contains ${config:x}, a placeholder that cannot be filled in here.',
    ],
    [{ type: 'stdio' }, 'has neither a command nor a url.'],
  ])('tells what is missing: %j', (entry, sentence) => {
    const answer = read(entry);
    expect('problem' in answer && answer.problem).toContain(`The server "Shop" ${sentence}`);
  });
});

test.each([
  ['node server.js', ['node', 'server.js']],
  [`  a "b c"  'd "e' f\\ g "" `, ['a', 'b c', 'd "e', 'f g', '']],
  ['a "b \\" c"', ['a', 'b " c']],
  ['', []],
  ['a "b', undefined],
])('the words of %j', (text, words) => {
  expect(commandWords(text)).toEqual(words);
});

test.each([
  ['node weather.js', 'weather'],
  ['npx -y @modelcontextprotocol/server-memory@1.2.0', 'server-memory'],
  ['python -m my_tools', 'my_tools'],
  ['/usr/bin/mcp-thing', 'mcp-thing'],
  ['node dist/index.js', 'work'],
])('%s is called %s', (command, name) => {
  expect(nameOfCommand(commandWords(command) ?? [], '/srv/work')).toBe(name);
});
