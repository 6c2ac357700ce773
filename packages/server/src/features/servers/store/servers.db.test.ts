import { openServerSecrets } from '@proofmark/harness/open-server-secrets.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { canary, createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let service: TestService;
let mine: Tenant;
let theirs: Tenant;
beforeAll(async () => {
  service = await startTestService();
  mine = await createTenant(service, 'mine');
  theirs = await createTenant(service, 'theirs');
});
afterAll(() => service.stop());

function secretsOf(tenant: Tenant) {
  const server = { id: tenant.serverId, organizationId: tenant.organizationId };
  return service.database.tenant([tenant.organizationId], (sql) =>
    openServerSecrets(sql, service.vault, server),
  );
}

test('what was sealed opens again, byte for byte', async () => {
  expect(await secretsOf(mine)).toEqual({ headers: { 'X-Canary': canary }, clientSecret: canary });
});

test('a sealed value moved to another row or another field does not open', async () => {
  const { sql } = service.owner;
  await sql`
    update servers set sealed_headers = (select sealed_headers from servers where id = ${mine.serverId})
    where id = ${theirs.serverId}`;
  await expect(secretsOf(theirs)).rejects.toThrow();
  await sql`update servers set sealed_headers = null, sealed_client_secret = sealed_headers where id = ${mine.serverId}`;
  await expect(secretsOf(mine)).rejects.toThrow();
});
