import { readFileSync, statSync, writeFileSync } from 'node:fs';
import type { ServiceHere } from '@proofmark/harness/journeys/serve-here.ts';
import { startAuthorizingIssuer } from '@proofmark/harness/mcp-servers/authorizing-issuer.ts';
import {
  rpcResult,
  sendJson,
  startFakeMcpServer,
} from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import { startOAuthServer } from '@proofmark/harness/mcp-servers/oauth-server.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSharedWorkspace } from './ready-workspace.ts';

const workspace = createSharedWorkspace();
let service: ServiceHere;
let key: string;
let shop: Awaited<ReturnType<typeof startFakeMcpServer>>;

beforeAll(async () => {
  const inputSchema = { type: 'object', properties: { code: { type: 'string' } } };
  const texts = (text: string) => ({ content: [{ type: 'text', text }] });
  shop = await startFakeMcpServer({
    'tools/list': {
      tools: [{ name: 'get_book', description: 'Finds \u001b[31ma book.', inputSchema }],
    },
    'tools/call': (response, request) => {
      const { arguments: given } = request.message['params'] as { arguments: { code?: string } };
      const isError = given.code === 'none';
      const result = { ...texts(`code ${JSON.stringify(given.code)}\u0007`), isError };
      sendJson(response, rpcResult(request, result));
    },
    'prompts/list': { prompts: [{ name: 'advise', arguments: [{ name: 'taste' }] }] },
    'resources/list': { resources: [{ uri: 'shop://hours', name: 'hours' }] },
    'resources/templates/list': { resourceTemplates: [] },
    'resources/read': { contents: [{ uri: 'shop://hours', text: 'Nine to five.\nNot today.' }] },
  });
  service = await workspace.serveHere([], { PROOFMARK_RATE_LIMIT: 'off' });
  const made = await workspace.admin(
    ...['bootstrap', '--email', 'owner@acme.example', '--organization', 'Acme'],
    ...['--project', 'Default'],
  );
  key = made.apiKey;
});
afterAll(async () => {
  await shop?.stop();
  await workspace.remove();
});

const proofmark = (...parameters: string[]) =>
  workspace.runHere(parameters, {
    PROOFMARK_URL: service.url,
    PROOFMARK_API_KEY: key,
    LC_ALL: 'C.UTF-8',
    SHOP_TOKEN: 'Bearer s3cret',
  });
const jsonOf = async (...parameters: string[]) => {
  const { code, stdout } = await proofmark(...parameters, '--json');
  return { code, answer: JSON.parse(stdout) };
};
const codeAndError = async (...parameters: string[]) => {
  const { code, stdout, stderr } = await proofmark(...parameters);
  expect(stdout).toBe('');
  return [code, stderr];
};

test('a server from its first line to its last', async () => {
  expect((await proofmark('server', 'list')).stdout).toMatch(/^No servers yet\. /);
  expect(await codeAndError('doctor')).toEqual([2, expect.stringContaining('server add')]);
  expect(await codeAndError('server', 'add', 'Shop', 'nonsense')).toEqual([2, expect.anything()]);
  const header = ['--header', 'Authorization=SHOP_TOKEN'];
  const added = await proofmark('server', 'add', 'Shop', shop.url, ...header);
  expect([added.code, added.stdout]).toEqual([
    0,
    expect.stringMatching(/^Saved Shop \(srv_\w+\)\.\nNext: proofmark doctor srv_\w+\n$/),
  ]);
  expect((await proofmark('server', 'list')).stdout).toMatch(/ID +NAME +ADDRESS\nsrv_/);
  const shown = await proofmark('server', 'show', 'Shop');
  expect(shown.stdout).toMatch(/^Server: +Shop\n/);
  expect(shown.stdout).toMatch(/\nHeaders: +Authorization\n/);
  expect(`${shown.stdout}${added.stdout}`).not.toContain('s3cret');

  const doctor = await proofmark('doctor');
  expect([doctor.code, doctor.stdout]).toEqual([0, expect.stringMatching(/✓ tools /)]);
  expect(doctor.stdout).toMatch(/\n\nReady: it offers 1 tool\.\n$/);
  expect((await jsonOf('doctor', 'Shop')).answer).toMatchObject({ status: 'ready' });
  expect(shop.requests.at(-1)?.headers.authorization).toBe('Bearer s3cret');

  const tools = await proofmark('tools', 'Shop');
  expect(tools.stdout).toBe('get_book(code?)\n  Finds \ufffd[31ma book.\n');
  expect((await jsonOf('tools')).answer).toMatchObject([{ name: 'get_book' }]);
  expect((await proofmark('prompts')).stdout).toBe('advise(taste?)\n');
  expect((await jsonOf('prompts', 'Shop')).answer).toMatchObject([{ name: 'advise' }]);
  expect((await proofmark('resources', 'Shop')).stdout).toBe('shop://hours\n  hours\n');
  expect((await jsonOf('resources')).answer).toMatchObject({ templates: [] });
  const read = await proofmark('read', 'Shop', 'shop://hours');
  expect([read.code, read.stdout]).toEqual([0, 'Nine to five.\nNot today.\n']);
  expect((await jsonOf('read', 'shop://hours')).answer.contents).toHaveLength(1);
  expect((await proofmark('read', 'a', 'b', 'c')).code).toBe(2);

  // The tool requires a string, so the number-like value is sent as a string.
  const called = await proofmark('call', 'get_book', 'code=007');
  expect([called.code, called.stdout]).toEqual([0, 'code "007"\ufffd\n']);
  const byName = await jsonOf('call', 'Shop', 'get_book', '--args', '{"code":"x"}');
  expect(byName).toMatchObject({ code: 0, answer: { isError: false } });
  const failed = await proofmark('call', 'get_book', 'code=none');
  expect([failed.code, failed.stderr]).toEqual([
    3,
    expect.stringContaining('answered with an error'),
  ]);
  expect(await codeAndError('call', 'get_book', '--args', '[]')).toEqual([
    ...[2, expect.stringContaining('--args')],
  ]);
  expect(await codeAndError('tools', 'Shop', '--server', 'Shop')).toEqual([
    ...[2, expect.stringContaining('given twice')],
  ]);
  expect(await codeAndError('tools', 'Nobody')).toEqual([
    ...[3, expect.stringContaining('proofmark server list')],
  ]);

  const exported = await proofmark('server', 'export', 'Shop', '-o', 'shop.json');
  expect([exported.code, exported.stdout]).toEqual([0, '']);
  const snapshot = JSON.parse(readFileSync(`${workspace.folder}/shop.json`, 'utf8'));
  expect((await jsonOf('server', 'export')).answer).toMatchObject({ tools: snapshot.tools });
  expect(snapshot.tools).toMatchObject([{ name: 'get_book' }]);

  expect((await codeAndError('server', 'edit', 'Shop'))[0]).toBe(2);
  expect((await codeAndError('server', 'edit', 'Shop', '--enabled', 'no'))[0]).toBe(2);
  const edited = await proofmark('server', 'edit', 'Shop', '--name', 'Old', '--enabled', 'off');
  expect([edited.code, edited.stdout]).toEqual([0, 'Saved Old.\n']);
  const gone = ['server', 'edit', 'Old', '--at', 'http://127.0.0.1:9/mcp', '--enabled', 'on'];
  expect((await proofmark(...gone)).code).toBe(0);
  const ill = await proofmark('doctor', 'Old');
  expect([ill.code, ill.stdout]).toEqual([3, expect.stringMatching(/✗ .*\n\nNot ready\./s)]);
  expect((await codeAndError('tools', 'Old'))[0]).toBe(3);
  expect((await jsonOf('server', 'remove', 'Old')).answer).toMatchObject({ name: 'Old' });
  expect((await jsonOf('server', 'list')).answer).toEqual([]);
});

test('a login from its first line to its last', async () => {
  const XDG_CONFIG_HOME = `${workspace.folder}/config`;
  const as = async (environment: Record<string, string>, ...parameters: string[]) => {
    // The service's own file is in another folder, so only the login gives the address of the
    // service.
    const ended = await workspace.runHere(parameters, { XDG_CONFIG_HOME, ...environment });
    expect(`${ended.stdout}${ended.stderr}`).not.toContain(key);
    return ended;
  };
  const me = (...parameters: string[]) => as({}, ...parameters);
  expect((await me('whoami')).code).toBe(2);
  expect((await me('logout')).code).toBe(2);
  const refused = await as({ PROOFMARK_API_KEY: 'sk_wrong' }, 'login', service.url);
  expect([refused.code, refused.stdout]).toEqual([3, '']);
  expect((await me('whoami')).code).toBe(2);

  const login = await as({ PROOFMARK_API_KEY: key }, 'login', `${service.url}/`);
  expect([login.code, login.stdout]).toEqual([
    0,
    expect.stringContaining(`Logged in to ${service.url} as `),
  ]);
  expect(statSync(`${XDG_CONFIG_HOME}/proofmark/logins.json`).mode & 0o777).toBe(0o600);
  const who = (await me('whoami')).stdout;
  expect(who).toMatch(/^Account: +.*<owner@acme\.example>\nOrganization: +Acme\nService: +http/);
  expect(who).toMatch(/\nKey: +from the login in\s/);
  expect(JSON.parse((await me('whoami', '--json')).stdout)).toMatchObject({
    url: service.url,
    keyFrom: 'login',
    project: null,
  });
  const own = { PROOFMARK_API_KEY: key, PROOFMARK_URL: service.url };
  expect((await as(own, 'whoami')).stdout).toMatch(/\nKey: +from PROOFMARK_API_KEY\n/);

  expect((await me('project', 'list')).stdout).toMatch(/^ID +CHOSEN +NAME\nprj_\w+ +Default\n$/);
  expect((await me('project', 'use', 'Nothing')).code).toBe(3);
  expect((await me('project', 'use', 'Default')).code).toBe(0);
  expect((await me('project', 'list')).stdout).toMatch(/\nprj_\w+ +yes +Default\n$/);
  expect((await me('server', 'list')).stdout).toMatch(/^No servers yet/);

  expect(JSON.parse((await me('logout', '--json')).stdout)).toEqual({
    url: service.url,
    forgotten: true,
  });
  expect((await me('logout', service.url)).stdout).toMatch(/^No key is stored/);
  expect((await me('whoami')).code).toBe(2);
});

test('tokens of a server, imported and by a browser', async () => {
  const issuer = await startAuthorizingIssuer();
  const guarded = await startOAuthServer({ issuer });
  try {
    await proofmark('server', 'add', 'Guarded', guarded.url, '--oauth');
    const wants = await proofmark('doctor', 'Guarded');
    expect([wants.code, wants.stdout]).toEqual([3, expect.stringContaining('oauth login SERVER')]);
    writeFileSync(`${workspace.folder}/tokens.json`, '{"access_token":"s3cret-token"}');
    const imported = await proofmark('oauth', 'import', 'Guarded', 'tokens.json');
    expect([imported.code, imported.stdout]).toEqual([
      ...[
        0,
        'The service stored the tokens for Guarded, sealed.\nNext: proofmark doctor Guarded\n',
      ],
    ]);
    expect((await codeAndError('oauth', 'import', 'Guarded', 'missing.json'))[0]).toBe(2);
    await proofmark('doctor', 'Guarded');
    expect(guarded.authorizations).toContain('Bearer s3cret-token');

    const browser = `${workspace.folder}/browser`;
    writeFileSync(browser, '#!/usr/bin/env node\nfetch(process.argv[2]);\n', { mode: 0o755 });
    const login = await workspace.runHere(['oauth', 'login', 'Guarded', '--json'], {
      PROOFMARK_URL: service.url,
      PROOFMARK_API_KEY: key,
      BROWSER: browser,
    });
    expect(login.stderr).toContain(`${issuer.url}/authorize?`);
    expect([login.code, JSON.parse(login.stdout)]).toMatchObject([0, { imported: true }]);
    expect((await proofmark('doctor', 'Guarded')).code).toBe(0);
  } finally {
    await guarded.stop();
    await issuer.stop();
  }
});
