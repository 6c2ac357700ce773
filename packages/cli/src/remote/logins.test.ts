import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { temporaryDirectory } from '@proofmark/harness/temporary-directory.ts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { askKey } from './ask-key.ts';
import { readCredentials } from './connection.ts';
import { loginsFile, readLogins, withLogin, withoutLogin, writeLogins } from './logins.ts';

const [a, b] = ['https://a.example', 'https://b.example'];
const none = { addresses: {} };
const both = withLogin(withLogin(none, a, { key: 'sk_a' }), b, { key: 'sk_b', project: 'prj_b' });

describe('the file of logins', () => {
  let directory: ReturnType<typeof temporaryDirectory>;
  let environment: { XDG_CONFIG_HOME: string };
  beforeEach(() => {
    directory = temporaryDirectory();
    environment = { XDG_CONFIG_HOME: `${directory.path}/config` };
  });
  afterEach(() => directory.remove());

  test('is where the user keeps settings', () => {
    expect(loginsFile({ HOME: '/h' }, 'linux')).toBe('/h/.config/proofmark/logins.json');
    expect(loginsFile({ HOME: '/h', XDG_CONFIG_HOME: '/c' }, 'linux')).toBe(
      '/c/proofmark/logins.json',
    );
    expect(loginsFile({ HOME: '/h', APPDATA: '/roaming' }, 'win32')).toBe(
      '/roaming/proofmark/logins.json',
    );
    expect(loginsFile({ HOME: '/h', APPDATA: '/roaming' }, 'linux')).not.toContain('roaming');
  });

  test('is for its owner alone, also where it was open before', () => {
    expect(readLogins(environment)).toEqual(none);
    const file = loginsFile(environment);
    mkdirSync(`${directory.path}/config/proofmark`, { recursive: true });
    writeFileSync(file, JSON.stringify(both));
    chmodSync(file, 0o644);
    expect(readLogins(environment)).toEqual(none);
    expect(writeLogins(environment, both)).toBe(file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readLogins(environment)).toEqual(both);
    expect(JSON.parse(readFileSync(file, 'utf8')).last).toBe(b);
  });

  test.each(['{"addresses":', '[]', '{"addresses":[1]}', '{"addresses":{"x":{"key":1}}}'])(
    'that holds %s logs nobody in',
    (content) => {
      const file = writeLogins(environment, none);
      writeFileSync(file, content);
      const { addresses } = readLogins(environment);
      expect(Object.values(addresses).every((login) => login.key === undefined)).toBe(true);
    },
  );
});

describe('what is kept for an address', () => {
  test('keeps its project over a new key, and goes with it', () => {
    expect(withLogin(both, b, { key: 'sk_new' }).addresses[b]).toEqual({
      key: 'sk_new',
      project: 'prj_b',
    });
    expect(withLogin(both, a, { project: 'prj_a' }).last).toBe(b);
    expect(withoutLogin(both, b)).toEqual({ addresses: { [a]: { key: 'sk_a' } } });
    expect(withoutLogin(both, a).last).toBe(b);
  });

  test('is asked after flags and the environment, and its key goes to no other address', () => {
    expect(readCredentials({}, {}, undefined, both)).toMatchObject({
      url: b,
      apiKey: 'sk_b',
      keyFrom: 'login',
      keptProject: 'prj_b',
    });
    expect(readCredentials({ url: `${a}/` }, {}, undefined, both)).toMatchObject({
      url: a,
      apiKey: 'sk_a',
      keptProject: undefined,
    });
    const own = { PROOFMARK_API_KEY: 'sk_own' };
    // A key from the environment belongs to no login. It must not be sent to the address of the
    // last login, so the default address is used.
    expect(readCredentials({}, own, undefined, both)).toMatchObject({
      url: 'http://127.0.0.1:3300',
      apiKey: 'sk_own',
      keyFrom: 'environment',
    });
    for (const url of ['https://c.example', `${a}.evil.example`, 'http://a.example']) {
      expect(() => readCredentials({ url }, {}, undefined, both)).toThrow(`proofmark login ${url}`);
    }
  });

  test('comes after the service of this folder where no address is named', () => {
    const ofFolder = { url: 'http://127.0.0.1:4711', key: 'sk_folder', dataDir: '/d' };
    expect(readCredentials({}, {}, ofFolder, both)).toMatchObject({
      url: ofFolder.url,
      apiKey: 'sk_folder',
      keyFrom: 'folder',
    });
    const logins = withLogin(both, ofFolder.url, { key: 'sk_login' });
    expect(readCredentials({}, {}, ofFolder, logins).apiKey).toBe('sk_folder');
  });
});

describe('a key', () => {
  const input = (isTTY: boolean, text: string) => {
    const stream = Object.assign(new PassThrough(), { isTTY });
    stream.end(text);
    return stream as unknown as NodeJS.ReadStream;
  };

  test('is piped in', async () => {
    expect(await askKey(a, input(false, ' sk_1\n'))).toBe('sk_1');
    await expect(askKey(a, input(false, ''))).rejects.toThrow('There is no API key');
    await expect(askKey(a, input(false, 'sk_1\nsk_2'))).rejects.toThrow(/^(?!.*sk_)/);
  });

  test('is typed without being shown', async () => {
    const shown = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const shownElse = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    try {
      expect(await askKey(a, input(true, 'sk_typed\n'))).toBe('sk_typed');
      expect(shown.mock.calls.join('')).toBe(`API key of ${a}: \n`);
      expect(shownElse.mock.calls.join('')).not.toContain('sk_');
      await expect(askKey(a, input(true, ''))).rejects.toThrow('There is no API key');
    } finally {
      shown.mockRestore();
      shownElse.mockRestore();
    }
  });
});
