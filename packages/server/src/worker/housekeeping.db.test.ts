import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../tests/harness/test-database.ts';
import { createOperator } from '../main/operator.ts';
import { housekeeping } from './housekeeping.ts';

let service: TestDatabase;
beforeAll(async () => {
  service = await createTestDatabase();
});
afterAll(() => service.drop());

test('answers that are kept for repeated requests go after seven days, in every organization', async () => {
  const { sql } = service.owner;
  for (const name of ['one', 'two']) {
    const { organizationId } = await createOperator(service.owner, '').bootstrap({
      email: `owner@${name}.example`,
      organization: name,
    });
    for (const days of [0, 6, 8]) {
      await sql`
        insert into idempotent_answers (organization_id, operation, key, request_hash, answer, created_at)
        values (${organizationId}, 'launch', ${`${days} days`}, 'hash', '{}', now() - make_interval(days => ${days}))`;
    }
  }
  expect(await housekeeping(service.database)).toMatchObject({ oldAnswers: 2 });
  const left = await sql<{ key: string }[]>`select key from idempotent_answers order by key`;
  expect(left.map(({ key }) => key)).toEqual(['0 days', '0 days', '6 days', '6 days']);
});
