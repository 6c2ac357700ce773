/**
 * Slow operations have a longer deadline than plain reads. An operation that is reported as failed
 * must really have stopped.
 */

import { withDeadline } from '@proofmark/domain';
import { createLauncher, type Launcher } from '@proofmark/harness/launcher.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let service: TestService;
let launcher: Launcher;
beforeAll(async () => {
  service = await startTestService();
  launcher = createLauncher(service, await createTenant(service, 'slow'));
});
afterAll(() => service.stop());

test('a launch and a cancel that take longer than five seconds are answered as what they did', async () => {
  const suiteId = await launcher.suite();
  const runId = await launcher.launch({ suiteId });
  const { going } = await service.owner.transaction(async (sql) => {
    // Both requests below write to the suite, so they wait for this lock.
    await sql`select from eval_suites where id = ${suiteId} for update`;
    const asked = Promise.all([
      launcher.ask('POST', 'eval-runs', { suiteId }),
      launcher.ask('POST', `eval-runs/${runId}/cancel`),
    ]);
    await new Promise((resolve) => setTimeout(resolve, 6000));
    return { going: asked };
  });
  const [launched, cancelled] = await going;
  expect(launched.status, launched.text).toBe(202);
  expect(cancelled.body).toMatchObject({ id: runId, status: 'cancelled' });
}, 30_000);

test('work that is told to have taken too long learns of it', async () => {
  const late = new AbortController();
  await expect(withDeadline(new Promise(() => undefined), 10, late)).rejects.toThrow('10 ms');
  expect(late.signal.aborted).toBe(true);
});
