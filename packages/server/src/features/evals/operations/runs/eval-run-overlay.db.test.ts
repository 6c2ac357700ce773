import { createLauncher, type Launcher, weatherSteps } from '@proofmark/harness/launcher.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sha256Hex } from '../../../../kernel/sha256-hex.ts';
import { defaultRunLimits } from '../../../../platform/spending/run-limits.ts';

let service: TestService;
let tenant: Tenant;
let launcher: Launcher;
let suiteId: string;
let serverName: string;
beforeAll(async () => {
  service = await startTestService({ runLimits: { ...defaultRunLimits, concurrentRuns: 10_000 } });
  tenant = await createTenant(service, 'acme');
  launcher = createLauncher(service, tenant);
  suiteId = await launcher.suite({ tests: [{ title: 'A', steps: weatherSteps }] });
  serverName = (await launcher.ask('GET', `servers/${tenant.serverId}`)).body.name;
});
afterAll(() => service.stop());

const over = (...tools: object[]) => ({ servers: [{ serverName, tools }] });
const launch = (overlay: unknown) => launcher.ask('POST', 'eval-runs', { suiteId, overlay });

test('is kept with the run and told by it, its trials, its tools and compare; others have none', async () => {
  const bare = await launcher.launch({ suiteId });
  const overlay = over({ name: 'weather', description: 'Tells.', rename: { city: 'town' } });
  const run = await launcher.launch({ suiteId, overlay });
  const hash = sha256Hex(
    `{"servers":[{"serverName":${JSON.stringify(serverName)},"tools":[{"description":"Tells.","name":"weather","rename":{"city":"town"}}]}]}`,
  );
  const read = async (path: string) => (await launcher.ask('GET', path)).body;
  expect((await read(`eval-runs/${run}`)).overlay).toEqual({ hash, tools: 1, stated: overlay });
  const listed = (await read(`eval-suites/${suiteId}/runs`)).items;
  expect(listed.map(({ overlay: shownOverlay }: { overlay?: object }) => shownOverlay)).toEqual([
    ...[{ hash, tools: 1 }, undefined],
  ]);
  const [trial] = (await read(`eval-runs/${run}/iterations`)).items;
  expect(trial.overlayHash).toBe(hash);
  expect((await read(`eval-runs/${run}/iterations/${trial.id}`)).overlayHash).toBe(hash);
  const compared = await read(`eval-runs/${run}/compare?baseRunId=${bare}`);
  expect([compared.baseRun.overlayHash, compared.compareRun.overlayHash]).toEqual([
    undefined,
    hash,
  ]);

  const surface = { [tenant.serverId]: [{ name: 'weather', description: 'Tells the weather.' }] };
  const { sql } = service.owner;
  await sql`
    insert into tool_surfaces (organization_id, hash, surface)
    values (${tenant.organizationId}, 'one', ${JSON.stringify(surface)}),
      (${tenant.organizationId}, 'other', ${JSON.stringify(surface)})`;
  await sql`update eval_iterations set tool_surface_hash = 'one' where run_id = ${bare}`;
  await sql`update eval_iterations set tool_surface_hash = 'other' where run_id = ${run}`;
  expect((await read(`eval-runs/${run}/surface?baseRunId=${bare}`)).changed).toMatchObject([
    { what: 'description', before: 'Tells the weather.', after: 'Tells.' },
  ]);
  expect((await read(`eval-runs/${run}/iterations/${trial.id}/tools`)).overlay).toEqual(overlay);

  await launcher.ask('POST', `eval-runs/${run}/cancel`);
  const again = await launcher.ask('POST', `eval-runs/${run}/rerun`, { scope: 'all' });
  expect(again.status, again.text).toBe(202);
  expect((await read(`eval-runs/${again.body.runId}`)).overlay.hash).toBe(hash);
});

test('what speaks of no server of the run is refused, and what has no shape', async () => {
  const stranger = await launch({ servers: [{ serverName: 'Nobody', tools: [{ name: 'a' }] }] });
  expect([stranger.status, stranger.body.code, stranger.body.details.path]).toEqual([
    ...[400, 'VALIDATION_ERROR', 'body.overlay.servers[0].serverName'],
  ]);
  for (const wrong of [
    {},
    { servers: [] },
    over({ name: 'a', colour: 'red' }),
    over({ name: 'a', description: 7 }),
  ]) {
    expect((await launch(wrong)).status).toBe(400);
  }
  const large = Array.from({ length: 3 }, (_, at) => ({
    name: `${at}`,
    description: 'x'.repeat(90_000),
  }));
  expect((await launch(over(...large))).status).toBe(400);
});

test('tools and parameters that a known listing does not have are refused; without one nobody knows', async () => {
  const other = createLauncher(service, await createTenant(service, 'globex'));
  const theirs = await other.suite({ tests: [{ title: 'A', steps: weatherSteps }] });
  const name = (await other.ask('GET', 'servers')).body.items[0].name;
  const unknown = { servers: [{ serverName: name, tools: [{ name: 'anything' }] }] };
  expect((await other.ask('POST', 'eval-runs', { suiteId: theirs, overlay: unknown })).status).toBe(
    202,
  );

  const { sql } = service.owner;
  await sql`
    insert into listed_tools (organization_id, server_id, tools, by_trial)
    values (${tenant.organizationId}, ${tenant.serverId}, '["weather"]', true)
    on conflict (server_id) do update set tools = excluded.tools, listed_at = now()`;
  const unlisted = await launch(over({ name: 'forecast' }));
  expect([unlisted.status, unlisted.body.details.path]).toEqual([
    ...[400, 'body.overlay.servers[0].tools[0].name'],
  ]);
  expect((await launch(over({ name: 'weather', rename: { planet: 'world' } }))).status).toBe(202);

  const run = await launcher.launch({ suiteId });
  const inputSchema = { type: 'object', properties: { city: {} } };
  const surface = { [tenant.serverId]: [{ name: 'weather', inputSchema }] };
  await sql`
    insert into tool_surfaces (organization_id, hash, surface)
    values (${tenant.organizationId}, 'known', ${JSON.stringify(surface)})`;
  await sql`
    insert into run_tool_surfaces (organization_id, run_id, hash) values (${tenant.organizationId}, ${run}, 'known')`;
  for (const [tool, path] of [
    [{ rename: { planet: 'world' } }, 'rename'],
    [{ inputSchema: { properties: { planet: {} } } }, 'inputSchema.properties'],
  ] as const) {
    const refused = await launch(over({ name: 'weather', ...tool }));
    expect([refused.status, refused.body.details.path]).toEqual([
      ...[400, `body.overlay.servers[0].tools[0].${path}`],
    ]);
  }
});
