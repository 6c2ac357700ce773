import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { trustedHashFile } from '@proofmark/domain';
import { temporaryDirectory } from '@proofmark/harness/temporary-directory.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readCredentials } from './connection.ts';
import { findFolderService } from './folder-service.ts';

const url = 'http://127.0.0.1:4711';
const written = { url, key: 'sk_folder', pid: process.pid };
let directory: ReturnType<typeof temporaryDirectory>;
beforeEach(() => {
  directory = temporaryDirectory();
  mkdirSync(`${directory.path}/.proofmark`);
  mkdirSync(`${directory.path}/deep/inside`, { recursive: true });
});
afterEach(() => directory.remove());

/**
 * Writes the service file as a service of this user would, and its hash in the user's state folder.
 */
function write(content: unknown, mode = 0o600): void {
  const file = `${directory.path}/.proofmark/service.json`;
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  writeFileSync(file, text);
  chmodSync(file, mode);
  mkdirSync(`${state()}/proofmark/data`, { recursive: true });
  const place = `${realpathSync(directory.path)}/.proofmark`;
  const seal = trustedHashFile(`${state()}/proofmark`, place, 'service.json', sha256Hex);
  writeFileSync(seal, `${sha256Hex(text)}\n`, { mode: 0o600 });
}
const state = () => `${directory.path}/state`;
const sha256Hex = (text: string) => createHash('sha256').update(text).digest('hex');
const found = (folder = '') =>
  findFolderService(`${directory.path}/${folder}`, { XDG_STATE_HOME: state() });

describe('the service of a folder', () => {
  test('is found from the folder itself and from below it', () => {
    expect(found('deep/inside')).toBeUndefined();
    write(written);
    const service = { url, key: 'sk_folder', dataDir: `${directory.path}/.proofmark` };
    expect([found(), found('deep/inside')]).toEqual([service, service]);
  });

  test('is that of the data directory which the environment names', () => {
    write(written);
    const PROOFMARK_DATA_DIR = `${directory.path}/.proofmark`;
    expect(findFolderService('/', { PROOFMARK_DATA_DIR, XDG_STATE_HOME: state() })?.url).toBe(url);
    expect(findFolderService(directory.path, { PROOFMARK_DATA_DIR: 'other' })).toBeUndefined();
  });

  test.each([
    ['that others may read', written, 0o644],
    ['that others may write', written, 0o622],
    ['of a process that has gone', { ...written, pid: 2 ** 22 + 1 }, 0o600],
    ['that is not whole', '{"url":', 0o600],
    ['of another shape', { url, pid: process.pid }, 0o600],
    ['of a group of processes', { ...written, pid: 0 }, 0o600],
  ])('is not told by a file %s', (_name, content, mode) => {
    write(content, mode);
    expect(found()).toBeUndefined();
  });
});

describe('a file that no service of this user wrote', () => {
  const planted = (folder: string) => {
    mkdirSync(`${folder}/.proofmark`, { recursive: true });
    writeFileSync(`${folder}/.proofmark/service.json`, JSON.stringify(written), { mode: 0o600 });
  };

  test('is passed over, though its mode and owner are right', () => {
    planted(`${directory.path}/deep`);
    expect(found('deep')).toBeUndefined();
  });

  test('is passed over where a service wrote another one', () => {
    write({ ...written, url: 'http://127.0.0.1:1' });
    planted(directory.path);
    expect(found()).toBeUndefined();
  });

  test('does not lead to the service of another folder by a link', () => {
    write(written);
    symlinkSync(`${directory.path}/.proofmark`, `${directory.path}/deep/inside/.proofmark`);
    expect(
      findFolderService('/', {
        PROOFMARK_DATA_DIR: `${directory.path}/deep/inside/.proofmark`,
        XDG_STATE_HOME: state(),
      }),
    ).toBeUndefined();
  });
});

describe('whom a command asks in such a folder', () => {
  const ofFolder = { url, key: 'sk_folder', dataDir: '/somewhere' };

  test('is its service, with its key', () => {
    expect(readCredentials({}, {}, ofFolder)).toMatchObject({ url, apiKey: 'sk_folder' });
    expect(readCredentials({ url: `${url}/` }, {}, ofFolder)).toMatchObject({
      apiKey: 'sk_folder',
    });
  });

  test('is who the flag or the environment names, and that one never gets the key of the folder', () => {
    const PROOFMARK_API_KEY = 'sk_own';
    expect(readCredentials({}, { PROOFMARK_API_KEY }, ofFolder)).toMatchObject({
      url,
      apiKey: 'sk_own',
    });
    const elsewhere = 'https://b.example';
    expect(
      readCredentials({}, { PROOFMARK_URL: elsewhere, PROOFMARK_API_KEY }, ofFolder),
    ).toMatchObject({ url: elsewhere, apiKey: 'sk_own' });
    expect(() => readCredentials({ url: elsewhere }, {}, ofFolder)).toThrow(
      'set PROOFMARK_API_KEY to an API key of https://b.example',
    );
  });

  test('is nobody where there is none, and what to do is said', () => {
    expect(() => readCredentials({}, {})).toThrow('`proofmark serve`');
  });
});
