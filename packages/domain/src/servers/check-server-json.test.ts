import { describe, expect, test } from 'vitest';
import { checkServerJson, type ServerJsonToCheck } from './check-server-json.ts';

const file = {
  name: 'io.github.ann/weather',
  description: 'Tells the weather.',
  version: '1.2.0',
  packages: [
    {
      registryType: 'npm',
      identifier: '@ann/weather',
      version: '1.2.0',
      transport: { type: 'stdio' },
    },
  ],
  remotes: [{ type: 'streamable-http', url: 'https://weather.example/mcp' }],
};
const seen = {
  serverInfo: { name: 'weather', version: '1.2.0' },
  tools: [{ name: 'forecast' }, { name: 'stations' }],
};
const check = (more: object, rest: Partial<ServerJsonToCheck> = {}) =>
  checkServerJson({ file: { ...file, ...more }, seen, ...rest }).map(
    ({ rule, severity, path }) => `${severity} ${rule} ${path}`,
  );

test('a file that says what is there has no findings', () => {
  expect(check({})).toEqual([]);
  expect(check({ _meta: { 'a/b': { tools: ['forecast', { name: 'stations' }] } } })).toEqual([]);
  expect(checkServerJson({ file, beside: { name: '@ann/weather', version: '1.2.0' } })).toEqual([]);
});

describe('the schema', () => {
  test.each<[object, string]>([
    [{ name: 'weather' }, '/name'],
    [{ description: 'x'.repeat(101) }, '/description'],
    [
      { packages: [{ ...file.packages[0], transport: { type: 'pipe' } }] },
      '/packages/0/transport/type',
    ],
    [{ packages: [{ ...file.packages[0], transport: undefined }] }, '/packages/0/transport'],
    [{ remotes: [{ type: 'sse', url: 'weather.example' }] }, '/remotes/0/url'],
  ])('does not allow %j', (more, path) => {
    expect(check(more)).toEqual([`error server-json-schema ${path}`]);
  });
});

test('a name that the server does not have is a warning', () => {
  expect(check({ name: 'io.github.ann/rain' })).toEqual(['warn server-json-name /name']);
});

test('the version is that of the package, of package.json beside it and of the server', () => {
  const [package0] = file.packages;
  expect(check({ packages: [{ ...package0, version: '1.1.0' }] })).toEqual([
    'error server-json-version /packages/0/version',
  ]);
  const versioned = (name: string) => check({}, { beside: { name, version: '1.3.0' } });
  expect(versioned('@ann/weather')).toEqual(['error server-json-version /version']);
  expect(versioned('@ann/other')).toEqual([]);
  const old = { ...seen, serverInfo: { name: 'weather', version: '1.0.0' } };
  expect(check({}, { seen: old })).toEqual(['error server-json-version /version']);
});

test('tools of the file and of the server are compared both ways', () => {
  const _meta = { 'ann.example/x': { tools: [{ name: 'forecast' }, { name: 'tides' }] } };
  const findings = checkServerJson({ file: { ...file, _meta }, seen });
  expect(findings.map(({ message, path }) => [path, message])).toEqual([
    ['/_meta/ann.example~1x/tools', 'The file lists the tool "tides", the server does not.'],
    ['/_meta/ann.example~1x/tools', 'The server lists the tool "stations", the file does not.'],
  ]);
});

test('a transport that failed is an error', () => {
  const failed = [{ path: '/remotes/0', message: 'It did not answer.' }];
  expect(check({}, { seen: undefined, failed })).toEqual([
    'error server-json-transport /remotes/0',
  ]);
});
