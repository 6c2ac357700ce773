import { randomBytes } from 'node:crypto';
import { insertLaunchedRun } from '@proofmark/harness/launched-run.ts';
import { createTestDatabase, type TestDatabase } from '@proofmark/harness/test-database.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openScorerSecret, replaceScorerSecret } from '../features/evals/store/scorer-secrets.ts';
import { pinnedProvidersField } from '../features/evals/store/sealed-fields.ts';
import { findProvider, insertProvider } from '../features/models/store/model-providers.ts';
import { findGrant, replaceGrant } from '../features/servers/store/oauth-grants.ts';
import { pinnedServersField } from '../features/servers/store/sealed-fields.ts';
import {
  findServerToCall,
  insertServer,
  type ServerWrite,
} from '../features/servers/store/servers.ts';
import {
  insertScenario,
  openScenarioToken,
  readScenario,
} from '../features/user-testing/store/scenarios.ts';
import { type Database, openDatabase } from '../platform/database/database.ts';
import { claimInstallation } from '../platform/database/installation.ts';
import { findKeyFacts, learnKeys } from '../platform/database/key-facts.ts';
import { changeKey } from '../platform/keys/change-key.ts';
import { createVault, type Vault } from '../platform/vault/vault.ts';
import { sealedColumns } from './sealed-columns.ts';

const canary = 'canary-of-a-secret-51';
const url = `https://mcp.example/mcp?key=${canary}`;
const tenant = { organizationId: 'org_1', projectId: 'prj_1' };
const provider = { organizationId: tenant.organizationId, name: 'acme' };
const definition = {
  kind: 'openai' as const,
  baseUrl: null,
  apiKey: canary,
  models: [],
  requestsAtOnce: null,
};
const link = { token: canary, hash: Buffer.from('hash') };
let service: TestDatabase;
let apiKey: string;
let firstKey: Buffer;
let others: Database[];
let scorerSecret: string | undefined;
const project = { id: tenant.projectId, organizationId: tenant.organizationId };

beforeEach(async () => {
  others = [];
  service = await createTestDatabase();
  await claimInstallation(service.owner);
  await service.owner.sql.unsafe(`
    insert into organizations (id, name) values ('org_1', 'One');
    insert into projects (id, organization_id, name, visibility) values ('prj_1', 'org_1', 'One', 'public')`);
  apiKey = service.vault.apiKeys.issue().key;
  firstKey = service.vault.keys[0]?.secretKey as Buffer;
  await write(service.database, 'srv_first');
  const { sql, vault } = service.owner;
  await insertProvider(sql, vault, { id: 'mdp_1', ...provider }, definition);
  scorerSecret = (await replaceScorerSecret(sql, vault, project))?.secret;
  const run = await insertLaunchedRun(service, tenant, { cases: 1, repetitions: 1 });
  await service.owner.sql`
    update eval_run_plans set sealed_keys = ${service.vault.seal('{"a":"b"}', {
      organizationId: tenant.organizationId,
      rowId: run.runId,
      field: 'modelApiKeys',
    })}`;
  const journeyRun = { id: 'jrn_1', organizationId: tenant.organizationId };
  await sql.unsafe(`
    insert into journey_runs (id, organization_id, project_id, journey_id, wave_id, total, journey_name, persona_id,
      persona_name, persona_role, persona_model, has_rubric, targets, source, deadline_at)
    values ('jrn_1', 'org_1', 'prj_1', 'jny_1', 'wav_1', 0, '', '', '', '', '', false, '[]', 'api', now())`);
  await sql`
    insert into journey_run_snapshots (run_id, organization_id, snapshot, sealed_servers, sealed_providers)
    values ('jrn_1', 'org_1', '{}', ${vault.seal('[]', pinnedServersField(journeyRun))},
      ${vault.seal('[]', pinnedProvidersField(journeyRun))})`;
  const mutation = { id: 'mut_1', organizationId: tenant.organizationId };
  await sql`
    insert into suite_mutations (id, organization_id, project_id, suite_id, request, estimate, plan, sealed_servers,
      sealed_providers)
    select 'mut_1', organization_id, project_id, id, '{}', '{}', '{}',
      ${vault.seal('[]', pinnedServersField(mutation))}, ${vault.seal('[]', pinnedProvidersField(mutation))}
    from eval_suites limit 1`;
  const place = { ...tenant, environmentId: 'env_1', createdBy: null };
  const words = { name: 'One', description: null, mode: 'invited_only' } as const;
  await insertScenario(sql, vault, { id: 'scn_1', ...place, ...words }, link);
});
afterEach(async () => {
  await Promise.all(others.map((other) => other.close()));
  await service.drop();
});

async function processWith(key: Buffer): Promise<Database> {
  const vault = createVault(key);
  const facts = await findKeyFacts(service.url);
  if (facts === undefined || !learnKeys(vault, facts)) throw new Error('The key is refused.');
  return running(vault);
}

function running(vault: Vault): Database {
  const other = openDatabase({ url: service.serviceUrl, vault, as: 'service', maxConnections: 2 });
  others.push(other);
  return other;
}

async function write(database: Database, id: string): Promise<void> {
  const { organizationId, projectId } = tenant;
  const server: ServerWrite = {
    id,
    organizationId,
    projectId,
    name: id,
    enabled: true,
    url,
    oauthResourceUrl: null,
    timeoutMs: null,
    maxMessageMiB: null,
    clientCapabilities: null,
    useOAuth: true,
    oauthScopes: [],
    clientId: null,
    headers: { kind: 'replace', value: { 'X-Key': canary } },
    clientSecret: { kind: 'replace', value: canary },
  };
  const grant = {
    organizationId,
    projectId,
    serverId: id,
    origin: 'https://mcp.example',
    issuer: null,
    clientId: null,
    resource: null,
    scope: null,
    lifetimeMs: null,
    secrets: { accessToken: canary },
  };
  await database.tenant([organizationId], async (sql) => {
    await insertServer(sql, database.vault, server);
    await replaceGrant(sql, database.vault, grant);
  });
}

async function read(database: Database, id: string) {
  const { organizationId, projectId } = tenant;
  return database.tenant([organizationId], async (sql) => {
    const found = await findServerToCall(sql, database.vault, projectId, id);
    const ids = { organizationId, projectId, serverId: id };
    const grant = await findGrant(sql, database.vault, ids);
    return [found?.server.url, found?.headers['X-Key'], grant?.secrets.accessToken];
  });
}

const whole = [url, canary, canary];

async function change(owner: Database, key: Buffer, keepKey = (_key: Buffer) => {}) {
  return changeKey(owner, { columns: sealedColumns, newKey: key, keepKey, noticeMs: 0 });
}

async function idsInUse(): Promise<Set<string>> {
  const ids = new Set<string>();
  for (const { table, column } of sealedColumns) {
    const rows = await service.owner.sql.unsafe<{ id: string | null }[]>(
      `select distinct encode(substr(${column}, 2, 4), 'hex') as id from ${table}`,
    );
    for (const { id } of rows) if (id !== null) ids.add(id);
  }
  return ids;
}

test('every sealed column is known, and each refuses values of an old key', async () => {
  const { sql } = service.owner;
  const columns = await sql<{ place: string }[]>`
    select table_name || '.' || column_name as place from information_schema.columns
    where table_schema = 'proofmark' and column_name like 'sealed%' and data_type = 'bytea'
      and table_name not in ('installation', 'key_changes')`;
  const known = sealedColumns.map(({ table, column }) => `${table}.${column}`).sort();
  expect(columns.map(({ place }) => place).sort()).toEqual(known);
  const triggers = await sql<{ place: string }[]>`
    select tgrelid::regclass || '.' || encode(trim_array(string_to_array(encode(tgargs, 'escape'), '\\000'), 1)::text::bytea, 'escape') as place
    from pg_trigger where tgfoid = 'refuse_old_key'::regproc`;
  expect(triggers.map(({ place }) => place.replace(/[{}]/g, '')).sort()).toEqual(known);
});

describe('while processes work', () => {
  test('one that hears nothing of the change neither reads nor writes after it', async () => {
    const [idle, busy] = [running(createVault(firstKey)), running(createVault(firstKey))];
    const newKey = randomBytes(32);
    let kept: Buffer | undefined;
    const report = await change(service.owner, newKey, (key) => {
      kept = key;
    });
    expect(kept?.equals(newKey)).toBe(true);
    expect(report.unreadable).toEqual([]);
    expect(report.sealed).toBe(sealedColumns.length);
    const { sql, vault } = service.owner;
    expect(await findProvider(sql, vault, provider)).toMatchObject(definition);
    const scenario = await readScenario(sql, tenant.projectId, 'scn_1');
    expect(scenario && openScenarioToken(vault, scenario)).toBe(canary);
    expect(await openScorerSecret(sql, vault, project)).toBe(scorerSecret);
    const [id] = createVault(newKey).keys;
    expect(await idsInUse()).toEqual(new Set([id?.id.toString('hex')]));
    // Both processes learned only the old key. The key change has ended, so the database no longer
    // contains what they would need to derive the new key.
    await expect(read(idle, 'srv_first')).rejects.toThrow('another key');
    await expect(write(busy, 'srv_late')).rejects.toThrow('a key from before');
  });

  test('those that meet it read and write on, and know the new key at its end', async () => {
    const [reader, writer] = [running(createVault(firstKey)), running(createVault(firstKey))];
    const newKey = randomBytes(32);
    const during = { read: [] as unknown[], wrote: false };
    const stopped = change(service.owner, newKey, () => {
      throw new Error('stopped');
    });
    await expect(stopped).rejects.toThrow('stopped');
    during.read = await read(reader, 'srv_first');
    await write(writer, 'srv_during');
    expect(during.read).toEqual(whole);
    const cursor = reader.vault.sign('cursor', 'text');
    expect(writer.vault.verify('cursor', 'text', cursor)).toBe(true);
    await change(service.owner, randomBytes(32));
    for (const database of [reader, writer]) {
      expect(await database.keys.look()).toBe(true);
      expect(database.vault.keys).toHaveLength(1);
      expect(await read(database, 'srv_during')).toEqual(whole);
      expect(database.vault.verify('cursor', 'text', cursor), 'of the old key').toBe(false);
    }
  });

  test('the old key is refused afterwards, and API keys live on under the new one', async () => {
    const newKey = randomBytes(32);
    await change(service.owner, newKey);
    await expect(processWith(firstKey)).rejects.toThrow('refused');
    const later = await processWith(newKey);
    expect(await read(later, 'srv_first')).toEqual(whole);
    const before = service.vault.apiKeys.hashOf(apiKey) as Buffer;
    expect(later.vault.apiKeys.hashOf(apiKey)?.equals(before)).toBe(true);
    const again = randomBytes(32);
    await change(service.owner, again);
    const last = await processWith(again);
    expect(last.vault.apiKeys.hashOf(apiKey)?.equals(before)).toBe(true);
    expect(last.vault.lasting).toEqual(service.vault.lasting);
  });
});

test('a process whose key is not that of the data begins no change', async () => {
  const vault = createVault(randomBytes(32));
  const stale = openDatabase({ url: service.url, vault, as: 'owner', maxConnections: 2 });
  others.push(stale);
  let isKept = false;
  const changed = change(stale, randomBytes(32), () => {
    isKept = true;
  });
  await expect(changed).rejects.toThrow('no key was changed');
  expect(isKept).toBe(false);
  expect((await findKeyFacts(service.url))?.change).toBeNull();
  expect(await read(service.database, 'srv_first')).toEqual(whole);
});

test('interrupted at any moment, everything is readable with either key, and the next call goes on', async () => {
  let key = firstKey;
  for (let moment = 1; moment < 40; moment += 1) {
    const newKey = randomBytes(32);
    const owner = stoppedAt(moment);
    let kept: Buffer | undefined;
    const ended = await change(owner, newKey, (given) => {
      kept = given;
    }).then(
      () => 'whole',
      (error: Error) => error.message,
    );
    if (ended === 'whole') {
      expect(moment).toBeGreaterThan(8);
      return;
    }
    expect(ended).toBe('killed');
    // A process that starts now has the old key, or the new one if its file was written.
    for (const one of kept === undefined ? [key] : [key, kept]) {
      const facts = await findKeyFacts(service.url);
      const isOver =
        facts?.change === null && facts.keyFingerprint !== createVault(one).fingerprint;
      if (isOver) continue;
      const fresh = await processWith(one);
      expect(await read(fresh, 'srv_first')).toEqual(whole);
      await write(fresh, `srv_${moment}_${one.toString('hex').slice(0, 6)}`);
    }
    const resumed = createVault(kept ?? key);
    const facts = await findKeyFacts(service.url);
    if (facts === undefined || !learnKeys(resumed, facts)) throw new Error('It cannot go on.');
    if (facts.change === null && facts.keyFingerprint === createVault(newKey).fingerprint) {
      key = newKey;
      service.vault.useKeys([...createVault(newKey).keys] as never);
      continue;
    }
    const next = openDatabase({ url: service.url, vault: resumed, as: 'owner', maxConnections: 2 });
    others.push(next);
    let final: Buffer = newKey;
    await change(next, newKey, (given) => {
      final = given;
    });
    key = final;
    service.vault.useKeys([...createVault(final).keys] as never);
    const ids = await idsInUse();
    expect(ids).toEqual(new Set([createVault(final).keys[0]?.id.toString('hex')]));
  }
  throw new Error('The change never came to its end.');
});

/**
 * Returns an owner connection that throws from the given moment on, like a process that is killed.
 * A moment is the begin or the end of a transaction.
 */
function stoppedAt(moment: number): Database {
  let count = 0;
  const kill = () => {
    count += 1;
    if (count >= moment) throw new Error('killed');
  };
  return {
    ...service.owner,
    vault: service.owner.vault,
    async transaction(...asked) {
      kill();
      const result = await service.owner.transaction(...asked);
      kill();
      return result as never;
    },
  };
}
