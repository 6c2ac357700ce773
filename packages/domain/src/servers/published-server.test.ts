// biome-ignore-all lint/suspicious/noTemplateCurlyInString: such texts are what is written here.
import { describe, expect, test } from 'vitest';
import { isServerJson, serverOfPackageJson, serverOfServerJson } from './published-server.ts';

const npm = { registryType: 'npm', identifier: '@ann/weather', version: '1.2.0' };
const stdio = { ...npm, transport: { type: 'stdio' } };
const file = (more: object) => ({ name: 'io.github.ann/weather', ...more });
const read = (more: object, beside?: unknown, environment = {}) =>
  serverOfServerJson(file(more), beside, environment);

describe('a server.json', () => {
  test('is told from the file of a client', () => {
    expect(isServerJson({ remotes: [] })).toBe(true);
    expect(isServerJson({ servers: {} })).toBe(false);
  });

  test('names the first remote with an http address, before any package', () => {
    const remotes = [{ type: 'streamable-http', url: 'https://a.example/mcp' }];
    expect(read({ packages: [stdio], remotes })).toMatchObject({
      name: 'weather',
      entry: { url: 'https://a.example/mcp' },
    });
  });

  test('starts the bin of the package beside it, and fetches any other', () => {
    const own = { name: '@ann/weather', bin: { weather: 'dist/main.js', other: 'x.js' } };
    expect(read({ packages: [stdio] }, own)).toMatchObject({
      entry: { command: 'node', args: ['dist/main.js'] },
    });
    const fetched = { entry: { command: 'npx', args: ['-y', '@ann/weather@1.2.0'] } };
    expect(read({ packages: [stdio] }, { ...own, name: '@ann/other' })).toMatchObject(fetched);
    expect(read({ packages: [stdio] })).toMatchObject(fetched);
  });

  test('passes on what it states: arguments, variables and headers', () => {
    const packages = [
      {
        ...stdio,
        runtimeArguments: [{ type: 'named', name: '--prefer-offline', isRequired: true }],
        packageArguments: [
          { type: 'positional', value: 'serve' },
          { type: 'named', name: '--level', default: 'info' },
          {
            type: 'named',
            name: '--depth',
            value: '{depth}',
            variables: { depth: { default: '3' } },
          },
          { type: 'positional', valueHint: 'not-needed' },
        ],
        environmentVariables: [
          { name: 'WEATHER_KEY', isRequired: true, isSecret: true },
          { name: 'UNSET' },
          { name: 'REGION', default: 'north' },
        ],
      },
    ];
    expect(read({ packages })).toMatchObject({
      entry: {
        args: [
          '-y',
          '--prefer-offline',
          '@ann/weather@1.2.0',
          'serve',
          '--level',
          'info',
          '--depth',
          '3',
        ],
        env: { WEATHER_KEY: '${env:WEATHER_KEY}', REGION: 'north' },
      },
    });
    const given = read({ packages }, undefined, { UNSET: 'x', REGION: 'south' });
    expect(given).toMatchObject({
      entry: { env: { UNSET: '${env:UNSET}', REGION: '${env:REGION}' } },
    });
    const headers = [
      { name: 'Authorization', value: 'Bearer {token}' },
      { name: 'X-Api-Key', isRequired: true },
      { name: 'X-Trace' },
    ];
    expect(
      read({ remotes: [{ type: 'sse', url: 'https://{region}.example/', headers }] }),
    ).toMatchObject({
      entry: {
        url: 'https://${env:region}.example/',
        headers: { Authorization: 'Bearer ${env:token}', 'X-Api-Key': '${env:X_API_KEY}' },
      },
    });
  });

  test('without a server that can be used here says so', () => {
    const packages = [{ ...stdio, registryType: 'pypi' }];
    expect(read({ packages })).toHaveProperty('problem');
  });
});

test.each<[string, unknown, unknown]>([
  ['a single path', { name: '@ann/weather', bin: 'a.js' }, 'weather'],
  ['its only program', { name: 'weather', bin: { cli: 'a.js' } }, 'cli'],
  [
    'the program of its name',
    { name: '@ann/weather', bin: { cli: 'b.js', weather: 'a.js' } },
    'weather',
  ],
])('a package.json starts %s', (_, content, name) => {
  expect(serverOfPackageJson(content)).toEqual({
    name,
    entry: { command: 'node', args: ['a.js'] },
  });
});

test.each([
  [{ name: 'a' }, 'has no bin'],
  [null, 'has no bin'],
  [{ name: 'a', bin: { b: 'b.js', c: 'c.js' } }, '(b, c)'],
])('a package.json of %j starts none', (content, words) => {
  expect(serverOfPackageJson(content)).toMatchObject({ problem: expect.stringContaining(words) });
});
