import { describe, expect, test } from 'vitest';
import { SuiteServer } from './suite-server.ts';

describe('a server of a suite file', () => {
  test.each([
    { name: 'a' },
    { name: 'a', id: 'srv_1' },
    { name: 'a', url: 'http://127.0.0.1:8080/mcp' },
    { name: 'a', url: 'https://a.example', headers: { Authorization: `Bearer \${env:TOKEN}` } },
    { name: 'a', command: 'node "my server.js"' },
    { name: 'a', command: 'node', args: ['server.js'], env: ['API_KEY'], cwd: '..' },
  ])('may be %j', (server) => {
    expect(SuiteServer.parse(server)).toEqual(server);
  });

  test.each([
    [{ name: 'a', url: 'ftp://a.example' }, ['url']],
    [{ name: 'a', url: 'https://user:secret@a.example/mcp' }, ['url']],
    [{ name: 'a', url: 'https://a.example', command: 'node' }, ['command']],
    [{ name: 'a', url: 'https://a.example', headers: { A: 'secret' } }, ['headers', 'A']],
    [{ name: 'a', headers: { A: `\${env:B}` } }, ['headers']],
    [{ name: 'a', command: 'node "' }, ['command']],
    [{ name: 'a', command: 'node', cwd: '/tmp' }, ['cwd']],
    [{ name: 'a', args: ['x'] }, ['args']],
    [{ name: 'a', url: 'https://a.example', cwd: '..' }, ['cwd']],
    [{ name: 'a', command: 'node', env: ['API_KEY=secret'] }, ['env', 0]],
    [{ name: 'a', command: 'node', environment: [] }, []],
  ])('may not be %j', (server, path) => {
    const read = SuiteServer.safeParse(server);
    expect(read.error?.issues.map((issue) => issue.path)).toEqual([path]);
  });
});
