/** Workers answer by database notifications, which other programs can send too. */
import { createTestDatabase, type TestDatabase } from '@proofmark/harness/test-database.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect } from '../../../platform/database/connect.ts';
import { askWorkers, workersAskedChannel } from './ask-workers.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('an answer that is no JSON is left out, and is not waited for any longer', async () => {
  const payloads = ['{"host":"north"', '{"host":"south"}'];
  const answered = await connect(database.url, async (client) => {
    client.on('notification', ({ payload = '' }) => {
      for (const answer of payloads)
        void client.query('select pg_notify($1, $2)', [payload, answer]);
    });
    await client.query(`listen ${workersAskedChannel}`);
    // A time limit (ms) longer than the test: only the expected number of answers can end the wait.
    return askWorkers(database.url, payloads.length, 600_000);
  });
  expect(answered).toEqual([{ host: 'south' }]);
});
