import { openServerSecrets } from '@proofmark/harness/open-server-secrets.ts';
import { call, startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { canary, createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { syncOperatorServers } from '../store/operator-servers.ts';
import { sealOldAddresses } from '../store/server-addresses.ts';
import { findServerToCall } from '../store/servers.ts';

let service: TestService;
let tenant: Tenant;
let servers: string;
beforeAll(async () => {
  service = await startTestService();
  tenant = await createTenant(service, 'acme');
  servers = `${service.baseUrl}/api/v1/projects/${tenant.projectId}/servers`;
});
afterAll(() => service.stop());

let made = 0;
async function save(body: Record<string, unknown> = {}) {
  made += 1;
  return call(servers, {
    method: 'POST',
    key: tenant.key,
    body: {
      name: `Server ${made}`,
      enabled: true,
      transportType: 'http',
      url: 'https://one.example/mcp',
      ...body,
    },
  });
}

function patch(id: string, body: unknown) {
  return call(`${servers}/${id}`, { method: 'PATCH', key: tenant.key, body });
}

function stored(id: string) {
  const place = { id, organizationId: tenant.organizationId };
  return service.database.tenant([tenant.organizationId], (sql) =>
    openServerSecrets(sql, service.vault, place),
  );
}

describe('credentials', () => {
  const secrets = { headers: { Authorization: canary }, clientSecret: canary, clientId: 'cid' };

  test('are said to be there and never shown', async () => {
    const answer = await save(secrets);
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      hasClientSecret: true,
      headerNames: ['Authorization'],
      clientId: 'cid',
    });
    expect(answer.text).not.toContain(canary);
  });

  test('stay when the path changes on the same origin', async () => {
    const { body } = await save(secrets);
    const answer = await patch(body.id, { url: 'https://one.example/other' });
    expect(answer.body).toMatchObject({ url: 'https://one.example/other', hasClientSecret: true });
    expect(await stored(body.id)).toEqual({ headers: secrets.headers, clientSecret: canary });
  });

  test.each(['https://two.example/mcp', 'http://one.example/mcp', 'https://one.example:8443/mcp'])(
    'are dropped in the same write when the origin becomes %s',
    async (url) => {
      const { body } = await save(secrets);
      const answer = await patch(body.id, { url });
      expect(answer.body).toMatchObject({ hasClientSecret: false, headerNames: [] });
      expect(await stored(body.id)).toEqual({ headers: {}, clientSecret: undefined });
    },
  );

  test('that come with the new origin are the ones kept', async () => {
    const { body } = await save(secrets);
    await patch(body.id, { url: 'https://two.example/mcp', headers: { 'X-New': 'fresh' } });
    expect(await stored(body.id)).toEqual({
      headers: { 'X-New': 'fresh' },
      clientSecret: undefined,
    });
  });

  test('the secret goes when the place its grant is for moves, the headers stay', async () => {
    const { body } = await save(secrets);
    const near = await patch(body.id, { oauthResourceUrl: 'https://one.example/resource' });
    expect(near.body).toMatchObject({ hasClientSecret: true });
    const far = await patch(body.id, { oauthResourceUrl: 'https://evil.example/' });
    expect(far.body).toMatchObject({ hasClientSecret: false, headerNames: ['Authorization'] });
  });

  test('go when asked to, one by one', async () => {
    const { body } = await save(secrets);
    expect((await patch(body.id, { clearClientSecret: true })).body.hasClientSecret).toBe(false);
    expect((await patch(body.id, { headers: {} })).body.headerNames).toEqual([]);
  });
});

describe('an address that holds secrets', () => {
  const url = `https://one.example/s/0123456789abcdefghij/mcp?key=${canary}&page=1`;
  const shown = 'https://one.example/s/***/mcp?key=***&page=***';

  function address(id: string) {
    return service.database.tenant([tenant.organizationId], async (sql) => {
      const found = await findServerToCall(sql, service.vault, tenant.projectId, id);
      return [found?.server.url, found?.server.oauthResourceUrl];
    });
  }

  test('is shown masked everywhere, and stored sealed', async () => {
    const saved = await save({ url, oauthResourceUrl: url });
    expect(saved).toMatchObject({ status: 201, body: { url: shown, oauthResourceUrl: shown } });
    const one = await call(`${servers}/${saved.body.id}`, { key: tenant.key });
    const all = await call(`${servers}?limit=200`, { key: tenant.key });
    for (const answer of [saved, one, all]) {
      expect(answer.text).not.toMatch(new RegExp(`${canary}|0123456789abcdefghij`));
    }
    expect(await address(saved.body.id)).toEqual([url, url]);
    const [row] = await service.owner.sql<{ text: string }[]>`
      select servers::text as text from servers where id = ${saved.body.id}`;
    expect(row?.text).not.toContain('one.example');
    expect(row?.text).not.toContain(Buffer.from('one.example').toString('hex'));
  });

  test('stays when it comes back as it was shown, with the credentials', async () => {
    const { body } = await save({ url, oauthResourceUrl: url, clientSecret: canary });
    const { id, name, url: read, oauthResourceUrl } = body;
    const answer = await patch(id, { name: `${name} again`, url: read, oauthResourceUrl });
    expect(answer).toMatchObject({ status: 200, body: { url: shown, hasClientSecret: true } });
    expect(await address(id)).toEqual([url, url]);
  });

  test.each([
    ['of another path', 'https://one.example/other?key=***'],
    ['of another origin', shown.replace('one.example', 'evil.example')],
    ['with one value written out', shown.replace('page=***', 'page=2')],
  ])('is not lost to a masked one %s', async (_what, edited) => {
    const { body } = await save({ url });
    const refused = await patch(body.id, { url: edited });
    expect(refused).toMatchObject({ status: 400, body: { details: { path: 'body.url' } } });
    expect(await address(body.id)).toEqual([url, null]);
  });

  test('is replaced by one that is written whole', async () => {
    const { body } = await save({ url });
    const next = 'https://one.example/mcp?key=another';
    expect((await patch(body.id, { url: next })).body.url).toBe('https://one.example/mcp?key=***');
    expect(await address(body.id)).toEqual([next, null]);
  });

  test('is not made from a masked one', async () => {
    expect(await save({ url: shown })).toMatchObject({
      status: 400,
      body: { details: { path: 'body.url' } },
    });
  });

  test.each(['\n', '\t', '\u0001', '\u007f', '\u202e'])('is refused with %j in it', async (bad) => {
    const answer = await save({ url: `https://one.example/${bad}mcp` });
    expect(answer).toMatchObject({ status: 400, body: { details: { path: 'body.url' } } });
    const { body } = await save();
    const moved = await patch(body.id, { url: `https://one.example/mcp${bad}` });
    expect(moved.status).toBe(400);
  });

  test('from before they were sealed is sealed at a start, and read until then', async () => {
    const { body } = await save();
    await service.owner.sql`
      update servers set url = ${url}, oauth_resource_url = ${url}, sealed_addresses = null where id = ${body.id}`;
    expect(await address(body.id)).toEqual([url, url]);
    expect(await sealOldAddresses(service.owner)).toBe(1);
    expect(await sealOldAddresses(service.owner)).toBe(0);
    expect(await address(body.id)).toEqual([url, url]);
    const [row] = await service.owner.sql`
      select url, oauth_resource_url from servers where id = ${body.id}`;
    expect(row).toEqual({ url: null, oauthResourceUrl: null });
  });
});

describe('names', () => {
  test('are unique in a project, whatever their case', async () => {
    await save({ name: 'Search' });
    const again = await save({ name: 'SEARCH' });
    expect(again).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT', details: { reason: 'NAME_TAKEN' } },
    });
    const other = await save();
    expect((await patch(other.body.id, { name: 'search' })).status).toBe(409);
    const unchanged = await call(`${servers}/${other.body.id}`, { key: tenant.key });
    expect(unchanged.body.name).toBe(other.body.name);
  });

  test('of twenty who save one name at once, one wins', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => save({ name: 'Contested' })),
    );
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 409)).toHaveLength(19);
  });
});

describe('what may not be saved', () => {
  test.each([
    [{ transportType: 'stdio' }, 'body.transportType'],
    [{ transportType: 'stdio', command: '/bin/sh', args: ['-c', 'true'] }, 'body'],
    [{ command: '/bin/sh' }, 'body.command'],
    [{ env: { PATH: '/tmp' } }, 'body.env'],
    [{ url: 'file:///etc/passwd' }, 'body.url'],
    [{ url: 'https://u:p@one.example/' }, 'body.url'],
    [{ headers: { 'Bad Name': 'x' } }, 'body.headers'],
    [{ headers: { 'X-A': 'a\r\nX-B: b' } }, 'body.headers'],
    [{ headers: { 'X-A': '1', 'x-a': '2' } }, 'body.headers'],
    [{ url: 'http://169.254.169.254/latest/' }, 'body.url'],
    [{ url: 'http://10.0.0.1/mcp' }, 'body.url'],
    [{ url: 'http://0x7f000001.evil.example@10.0.0.1/' }, 'body.url'],
    [{ oauthResourceUrl: 'http://[fd00:ec2::254]/' }, 'body.oauthResourceUrl'],
    [{ timeout: 0 }, 'body.timeout'],
    [{ maxMessageMiB: 0 }, 'body.maxMessageMiB'],
    [{ maxMessageMiB: 1.5 }, 'body.maxMessageMiB'],
    [{ maxMessageMiB: 33 }, 'body.maxMessageMiB'],
    [{ name: '  ' }, 'body.name'],
    [{ oauthScopes: 'read' }, 'body.oauthScopes'],
    [{ hasClientSecret: true }, 'body.hasClientSecret'],
  ])('%o', async (body, path) => {
    const answer = await save(body);
    expect(answer.status).toBe(400);
    expect(answer.body.code).toBe('VALIDATION_ERROR');
    expect(String(answer.body.details.path).startsWith(path)).toBe(true);
    const created = await save();
    expect((await patch(created.body.id, body)).status).toBe(400);
  });

  test('an edit that changes nothing is told so', async () => {
    const { body } = await save();
    expect(await patch(body.id, {})).toMatchObject({ status: 400 });
  });
});

test('a blocked address says so, and not where a name would lead', async () => {
  const answer = await save({ url: 'http://169.254.169.254/latest/' });
  expect(answer.body.details).toMatchObject({ path: 'body.url', reason: 'EGRESS_BLOCKED' });
});

test('what is told about bad input does not grow with it', async () => {
  const headers = Object.fromEntries(
    Array.from({ length: 60 }, (_, at) => [`bad name ${at} ${'x'.repeat(3000)}`, 'v']),
  );
  const answer = await save({ headers });
  expect(answer.status).toBe(400);
  expect(answer.text.length).toBeLessThan(20_000);
  expect((await save({ ['k'.repeat(500_000)]: 1 })).text.length).toBeLessThan(2000);
});

test('Unicode and every optional field come back as they were given', async () => {
  const given = {
    name: 'Sérveur 検索 🛰️',
    enabled: false,
    timeout: 12_345,
    maxMessageMiB: 32,
    clientCapabilities: { sampling: {}, deep: { list: [1, 'zwei', null] } },
    useOAuth: true,
    oauthScopes: ['a', 'b c'],
    oauthResourceUrl: 'https://one.example/resource',
  };
  const { body } = await save(given);
  expect((await call(`${servers}/${body.id}`, { key: tenant.key })).body).toMatchObject(given);
});

test('null clears an optional field, and leaving it out keeps it', async () => {
  const optional = {
    timeout: 5000,
    maxMessageMiB: 8,
    clientId: 'cid',
    oauthResourceUrl: 'https://one.example/r',
    clientCapabilities: { sampling: {} },
  };
  const { body } = await save(optional);
  expect((await patch(body.id, { enabled: false })).body).toMatchObject(optional);
  const cleared = {
    timeout: null,
    maxMessageMiB: null,
    clientId: null,
    oauthResourceUrl: null,
    clientCapabilities: null,
  };
  expect((await patch(body.id, cleared)).body).toMatchObject(cleared);
});

describe('the operator’s stdio servers', () => {
  test('appear as saved servers and can be neither edited nor deleted over HTTP', async () => {
    const place = { projectId: tenant.projectId, organizationId: tenant.organizationId };
    await syncOperatorServers(service.owner, [{ name: 'Local files', ...place }]);
    const list = await call(servers, { key: tenant.key });
    const local = list.body.items.find((item: { name: string }) => item.name === 'Local files');
    expect(local).toMatchObject({ transportType: 'stdio', url: null, hasClientSecret: false });
    expect((await patch(local.id, { name: 'Mine' })).status).toBe(403);
    expect(
      (await call(`${servers}/${local.id}`, { method: 'DELETE', key: tenant.key })).status,
    ).toBe(403);
    await syncOperatorServers(service.owner, []);
    expect((await call(`${servers}/${local.id}`, { key: tenant.key })).status).toBe(404);
  });
});

test('a deleted server is gone, and its page is walked without it', async () => {
  const { body } = await save();
  expect((await call(`${servers}/${body.id}`, { method: 'DELETE', key: tenant.key })).body).toEqual(
    { id: body.id, deleted: true },
  );
  expect((await call(`${servers}/${body.id}`, { key: tenant.key })).status).toBe(404);
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await call(
      `${servers}?limit=3${cursor === undefined ? '' : `&cursor=${cursor}`}`,
      { key: tenant.key },
    );
    seen.push(...page.body.items.map((item: { id: string }) => item.id));
    cursor = page.body.nextCursor;
  } while (cursor !== undefined);
  const whole = await call(servers, { key: tenant.key });
  expect(seen).toEqual(whole.body.items.map((item: { id: string }) => item.id));
  expect(seen).not.toContain(body.id);
});
