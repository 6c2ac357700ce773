import { insertLaunchedRun } from '@proofmark/harness/launched-run.ts';
import { createTestDatabase } from '@proofmark/harness/test-database.ts';
import { expect, test } from 'vitest';
import { createOperator } from '../../../main/operator.ts';
import { listSpentTokens } from './compared-runs.ts';

test('Spent tokens are summed up by reading the usage of each trial once', async () => {
  const store = await createTestDatabase();
  const { sql } = store.owner;
  const tenant = await createOperator(store.owner, '').bootstrap({
    email: 'owner@compared.example',
    organization: 'Compared',
  });
  const { runId } = await insertLaunchedRun(store, tenant, { cases: 1, repetitions: 5 });
  await sql`update eval_iterations set usage = '{"inputTokens":2,"outputTokens":3}'`;
  // Counts how often a text is parsed by `document_of`, because parsing is expensive.
  await sql.unsafe(`
    create sequence readings;
    create or replace function document_of(stored text) returns json
      language plpgsql immutable strict security definer as
      $$ begin perform nextval('readings'); return stored::json; end $$`);
  const spent = await store.database.tenant([tenant.organizationId], (tx) =>
    listSpentTokens(tx, runId),
  );
  expect(spent).toMatchObject([{ trials: 5, unmeasured: 0, inputTokens: 10, outputTokens: 15 }]);
  expect(await sql`select last_value::integer as read from readings`).toEqual([{ read: 5 }]);
  await store.drop();
});
