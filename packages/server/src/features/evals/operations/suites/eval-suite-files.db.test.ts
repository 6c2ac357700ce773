/** Tests suites as files over HTTP: exporting an imported file returns the same bytes. */
import { canonicalJson, type SuiteFile } from '@proofmark/domain';
import { createEnvironment } from '@proofmark/harness/create-environment.ts';
import { type ProjectCaller, projectCaller } from '@proofmark/harness/project-caller.ts';
import { unique } from '@proofmark/harness/reporter.ts';
import { suiteFile } from '@proofmark/harness/suite-file.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let service: TestService;
let tenant: Tenant;
let theirs: Tenant;
let ask: ProjectCaller;
beforeAll(async () => {
  service = await startTestService();
  tenant = await createTenant(service, 'acme');
  theirs = await createTenant(service, 'other');
  ask = projectCaller(service, tenant);
});
afterAll(() => service.stop());

const importFile = (file: SuiteFile | string, more: object = {}) =>
  ask('POST', 'eval-suites/import', {
    content: typeof file === 'string' ? file : JSON.stringify(file),
    ...more,
  });

async function exported(suiteId: string, format = 'yaml') {
  const answer = await ask('GET', `eval-suites/${suiteId}/export?format=${format}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

const [first] = suiteFile('x').cases;

describe('a file', () => {
  test('becomes a suite, and the suite the same file', async () => {
    const file = suiteFile(unique('suite'), {
      provenance: {
        sourceHash: 'a',
        sourceFormat: 'b',
        reportHash: 'c',
        sourceFormatVersion: '1.10',
        converter: 'conv',
        converterVersion: '2.0',
        model: 'a/b',
        discoverySnapshotHash: 'd',
        importedAt: '2026-11-15T12:00:00Z',
      },
    });
    const made = await importFile(file);
    expect(made.status, made.text).toBe(201);
    expect(made.body).toEqual({
      suiteId: expect.stringMatching(/^ste_/),
      name: file.suite.name,
      servers: [{ id: tenant.serverId, name: 'Sample' }],
      caseUpsert: {
        committed: [{ id: expect.stringMatching(/^cas_/), name: 'Greets' }],
        failed: [],
      },
      replaced: false,
      warnings: [],
    });
    const json = await exported(made.body.suiteId, 'json');
    expect(json).toMatchObject({ format: 'json', warnings: [] });
    expect(canonicalJson(JSON.parse(json.content))).toBe(canonicalJson(file));
    const yaml = await exported(made.body.suiteId);
    const again = await importFile(yaml.content);
    expect(again.body).toMatchObject({ suiteId: made.body.suiteId, replaced: true });
    expect(await exported(made.body.suiteId)).toEqual(yaml);
    expect(await ask('GET', `eval-suites/${made.body.suiteId}/export`)).toMatchObject({
      body: yaml,
    });
  });

  test('replaces the suite of its id: cases keep their ids, others go, in the new order', async () => {
    const id = unique('suite');
    const cases = ['a', 'b', 'c'].map((name) => ({ ...first, id: name, title: name }));
    const made = await importFile(suiteFile(id, { cases } as Partial<SuiteFile>));
    const before = made.body.caseUpsert.committed as { id: string; name: string }[];
    const changed = ['d', 'c', 'a'].map((name) => ({ ...first, id: name, title: name }));
    const again = await importFile(suiteFile(id, { cases: changed } as Partial<SuiteFile>));
    const after = again.body.caseUpsert.committed as { id: string; name: string }[];
    expect(after.map(({ name }) => name)).toEqual(['d', 'c', 'a']);
    expect([after[1]?.id, after[2]?.id]).toEqual([before[2]?.id, before[0]?.id]);
    const listed = await ask('GET', `eval-suites/${made.body.suiteId}/cases`);
    expect(listed.body.items.map((one: { id: string }) => one.id)).toEqual(
      after.map((one) => one.id),
    );
  });

  test('of a suite of another project makes a new one', async () => {
    const file = suiteFile(unique('suite'));
    const made = await importFile(file);
    const other = await projectCaller(service, theirs)('POST', 'eval-suites/import', {
      content: JSON.stringify(file),
    });
    expect(other.body).toMatchObject({ replaced: false });
    expect(other.body.suiteId).not.toBe(made.body.suiteId);
  });

  test('that is imported by several at once makes one suite', async () => {
    const file = suiteFile(unique('suite'));
    const answers = await Promise.all([1, 2, 3, 4].map(() => importFile(file)));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(new Set(answers.map(({ body }) => body.suiteId)).size).toBe(1);
    expect(answers.filter(({ body }) => !body.replaced)).toHaveLength(1);
  });

  test('names servers by name, by id, or by what is sent along', async () => {
    const target = (servers: object[]) => ({ target: { servers } }) as Partial<SuiteFile>;
    const bound = async (servers: object[], serverIds?: object) =>
      (await importFile(suiteFile(unique('s'), target(servers)), serverIds && { serverIds })).body;
    const { serverId } = tenant;
    expect((await bound([{ name: 'sample' }])).servers[0].id).toBe(serverId);
    expect((await bound([{ name: 'Old', id: serverId }])).servers[0].id).toBe(serverId);
    expect((await bound([{ name: 'Old' }], { Old: serverId })).servers[0].id).toBe(serverId);
    expect((await bound([{ name: 'Old' }])).details).toMatchObject({
      path: 'body.content.target.servers[0]',
      reason: 'SERVER_NOT_FOUND',
    });
    expect((await bound([{ name: 'Old' }], { Old: theirs.serverId })).details).toMatchObject({
      path: 'body.serverIds.Old',
      reason: 'SERVER_NOT_FOUND',
    });
  });

  test('in its shortest form has the servers and the model that are sent along, and is exported whole', async () => {
    const suite = { id: unique('s'), name: 'Short' };
    const steps = [{ kind: 'toolCall', toolName: 'ping', arguments: {} }];
    const short = { schemaVersion: '1', suite, cases: [{ id: 'a', title: 'A', steps }] };
    const alone = await importFile(short as unknown as SuiteFile);
    expect(alone.body.details.findings.map(({ path }: { path: string }) => path)).toEqual([
      ...['cases[0].steps[0].serverName', 'target'],
    ]);
    const sent = { serverIds: { Mine: tenant.serverId }, model: 'proofmark/lexical-1' };
    const made = await importFile(short as unknown as SuiteFile, sent);
    expect(made.status, made.text).toBe(201);
    const { content } = await exported(made.body.suiteId, 'json');
    expect(JSON.parse(content)).toMatchObject({
      mode: 'agentWorkflow',
      reportingMode: 'standard',
      target: { servers: [{ name: 'Mine' }] },
      defaults: { model: 'proofmark/lexical-1', repetitions: 1, passThreshold: 1, validity: {} },
      cases: [{ steps: [{ id: 'step-1', serverName: 'Mine' }] }],
    });
    const other = await importFile(content, { model: 'openai/gpt-x' });
    const again = await exported(other.body.suiteId, 'json');
    expect(JSON.parse(again.content).defaults.model).toBe('openai/gpt-x');
  });

  test('stays bound to the server that was sent along once', async () => {
    const target = { servers: [{ name: 'Old' }] };
    const file = suiteFile(unique('s'), { target } as Partial<SuiteFile>);
    await importFile(file, { serverIds: { Old: tenant.serverId } });
    expect((await importFile(file)).body.servers[0].id).toBe(tenant.serverId);
  });

  test('names an environment, which is then attached', async () => {
    const name = unique('Staging');
    const { environmentId } = await createEnvironment(service, tenant, name);
    const file = suiteFile(unique('suite'), {
      target: { environment: name },
    } as Partial<SuiteFile>);
    const made = await importFile(file);
    const suite = await ask('GET', `eval-suites/${made.body.suiteId}`);
    expect(suite.body.environmentIds).toEqual([environmentId]);
    expect(JSON.parse((await exported(made.body.suiteId, 'json')).content)).toEqual(file);
    const missing = suiteFile('x', { target: { environment: 'None' } } as Partial<SuiteFile>);
    expect((await importFile(missing)).body.details).toMatchObject({
      path: 'body.content.target.environment',
      reason: 'ENVIRONMENT_NOT_FOUND',
    });
  });

  test('with a mistake is refused with its place, and nothing is made', async () => {
    const before = (await ask('GET', 'eval-suites')).body.items.length;
    const answer = await importFile('schemaVersion: "1"\nmode: contract\n');
    expect(answer.status).toBe(400);
    expect(answer.body.code).toBe('VALIDATION_ERROR');
    const { reason, findings } = answer.body.details;
    expect(reason).toBe('SUITE_FILE_INVALID');
    expect(findings).toContainEqual({
      path: 'mode',
      code: 'SUITE_FILE_INVALID',
      message: expect.stringMatching(/^Line 2, column 7: mode: /),
    });
    const paths = findings.map((one: { path: string }) => one.path);
    expect(paths).toEqual([...paths].sort());
    expect(answer.body.message).toMatch(/^Line \d+, column \d+: /);
    expect((await ask('GET', 'eval-suites')).body.items).toHaveLength(before);
  });

  test('may have a mebibyte, and no more', async () => {
    const text = `${JSON.stringify(suiteFile(unique('suite')), null, 1)}\n`;
    const fill = (bytes: number) => `${text}#${'x'.repeat(bytes - text.length - 1)}`;
    const most = fill(1_048_576);
    expect((await importFile(most)).status).toBe(201);
    const larger = await importFile(`${most}x`);
    expect(larger.body.details).toMatchObject({ reason: 'SUITE_FILE_TOO_LARGE' });
  });

  test('may have 500 cases', async () => {
    const cases = Array.from({ length: 501 }, (_, n) => ({ ...first, id: `c${n}` }));
    const file = (count: number) =>
      suiteFile(unique('suite'), { cases: cases.slice(0, count) } as Partial<SuiteFile>);
    expect((await importFile(file(500))).body.caseUpsert.committed).toHaveLength(500);
    expect((await importFile(file(501))).body.details.path).toBe('body.content.cases');
  });
});

describe('a suite that was made by hand', () => {
  const steps = [{ id: 'ask', kind: 'prompt', prompt: 'Hello' }];
  const make = async () => {
    const tests = [{ title: 'One', steps, scenario: 'Morning' }];
    const settings = { checks: [{ type: 'noToolErrors' }] };
    const body = { name: 'Made', serverIds: [tenant.serverId], model: 'a/b', tests, settings };
    return (await ask('POST', 'eval-suites', body)).body;
  };

  test('is written with warnings, and read again as itself: what a file cannot say stays', async () => {
    const { suiteId, caseUpsert } = await make();
    const place = `eval-suites/${suiteId}`;
    const { environmentId } = await createEnvironment(service, tenant, unique('Staging'));
    const judge = { enabled: true, autoRun: true, model: 'a/judge' };
    const settings = { judge, matchOptions: { toolCallOrder: 'in-order' }, minimumAccuracy: 80 };
    await ask('PATCH', place, { settings, environmentIds: [environmentId] });
    await ask('PATCH', `${place}/schedule`, { enabled: true, intervalMinutes: 60 });
    const read = async () => {
      const { updatedAt: _suite, ...suite } = (await ask('GET', place)).body;
      const { items } = (await ask('GET', `${place}/cases`)).body;
      return {
        suite,
        cases: items.map(
          ({
            updatedAt: _u,
            createdAt: _c,
            ...one
          }: object & { updatedAt?: unknown; createdAt?: unknown }) => one,
        ),
      };
    };
    const before = await read();
    expect(before.suite).toMatchObject({ schedule: { enabled: true } });
    const written = await exported(suiteId);
    expect(written.warnings).toContain(
      'The file format has no place for scenario of the case "One"; importing the file into this suite keeps the stored value.',
    );
    const again = await importFile(written.content);
    expect(again.body).toMatchObject({ suiteId, replaced: true, caseUpsert });
    expect(again.body.warnings).toEqual([
      {
        path: 'body.content.defaults.model',
        code: 'MODEL_NOT_AVAILABLE',
        message: expect.stringContaining('"a/b"'),
      },
    ]);
    expect(await read()).toEqual(before);
    expect(await exported(suiteId)).toEqual(written);
  });

  test('without a case is not written', async () => {
    const { suiteId, caseUpsert } = await make();
    await ask('DELETE', `eval-suites/${suiteId}/cases/${caseUpsert.committed[0].id}`);
    const answer = await ask('GET', `eval-suites/${suiteId}/export`);
    expect([answer.status, answer.body.details.reason]).toEqual([409, 'SUITE_NOT_EXPORTABLE']);
  });
});
