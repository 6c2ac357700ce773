/**
 * Tests the caller's model keys in a run: only the needed ones are stored, sealed, and deleted when
 * the run ends.
 */

import {
  createLauncher,
  type Launcher,
  weatherSteps as steps,
} from '@proofmark/harness/launcher.ts';
import type { ProjectCaller } from '@proofmark/harness/project-caller.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultRunLimits } from '../../../../platform/spending/run-limits.ts';

let service: TestService;
let tenant: Tenant;
let ask: ProjectCaller;
let inline: Launcher['inline'];
beforeAll(async () => {
  service = await startTestService({ runLimits: { ...defaultRunLimits, concurrentRuns: 10_000 } });
  tenant = await createTenant(service, 'acme');
  ({ ask, inline } = createLauncher(service, tenant));
});
afterAll(() => service.stop());

test('keys of the caller are kept sealed, only where they are needed, and come back nowhere', async () => {
  const secret = 'sk-canary-of-openai-31337';
  const unused = 'sk-canary-of-nobody-31337';
  const body = inline({
    tests: [{ title: 'Weather', steps, model: 'gpt-4o', provider: 'openai' }],
    modelApiKeys: { openai: secret, anthropic: unused },
  });
  const launched = await ask('POST', 'eval-runs', body);
  expect(launched.status, launched.text).toBe(202);
  const { runId, suiteId } = launched.body;
  const { sql } = service.owner;
  const [row] = await sql`select plan, sealed_keys from eval_run_plans where run_id = ${runId}`;
  const field = { organizationId: tenant.organizationId, rowId: runId, field: 'modelApiKeys' };
  expect(JSON.parse(service.database.vault.open(row?.['sealedKeys'], field))).toEqual({
    openai: secret,
  });
  const answers = await Promise.all(
    [`eval-runs/${runId}`, `eval-suites/${suiteId}`, `eval-runs/${runId}/iterations`].map((path) =>
      ask('GET', path),
    ),
  );
  const refused = await ask('POST', 'eval-runs', { ...body, environmentId: 'none' });
  const stored = await sql`
    select coalesce(string_agg(eval_runs::text, ''), '') as text from eval_runs where id = ${runId}`;
  const jobs = await sql`select payload::text from graphile_worker._private_jobs`;
  const everything = [
    launched.text,
    refused.text,
    row?.['plan'],
    stored[0]?.['text'],
    JSON.stringify(jobs),
    ...answers.map(({ text }) => text),
    ...service.logLines,
  ].join('\n');
  expect(everything).not.toContain('canary-of');
  const cancelled = await ask('POST', `eval-runs/${runId}/cancel`);
  expect(cancelled.status, cancelled.text).toBe(200);
  const [after] = await sql`select sealed_keys from eval_run_plans where run_id = ${runId}`;
  expect(after?.['sealedKeys']).toBeNull();
});
