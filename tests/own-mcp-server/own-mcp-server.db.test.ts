import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { mcpTools } from '@proofmark/contract/mcp-tools';
import { bundleChild } from '@proofmark/harness/bundle-child.ts';
import { projectCaller } from '@proofmark/harness/project-caller.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { startTestWorker, type TestWorker } from '@proofmark/harness/test-worker.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createModelGateway } from '../../packages/server/src/outside/model/create-model-gateway.ts';

const models = createModelGateway({ egress: { allowLoopback: true, allowedPrivateHosts: [] } });
let service: TestService;
let worker: TestWorker;
let tenant: Tenant;
beforeAll(async () => {
  service = await startTestService({ models });
  tenant = await createTenant(service, 'acme');
  worker = await startTestWorker(service, models);
});
afterAll(async () => {
  await worker.stop();
  await service.stop();
  await models.close();
});

// biome-ignore lint/suspicious/noExplicitAny: tests look into results of every shape.
type Result = any;

async function connectOverStdio(environment: Record<string, string>) {
  const light = fileURLToPath(new URL('../../packages/cli/src/light-command.ts', import.meta.url));
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [bundleChild(light), 'mcp'],
    stderr: 'pipe',
    env: environment,
  });
  const problems: Error[] = [];
  let output = '';
  transport.stderr?.on('data', (text: Buffer) => {
    output += text.toString();
  });
  const client = new Client({ name: 'test', version: '1' });
  client.onerror = (error) => problems.push(error);
  // Under exactOptionalPropertyTypes, the library's class does not match its own interface, so a
  // cast is needed.
  await client.connect(transport as never);
  const use = async (name: string, given: object = {}): Promise<Result> =>
    client.callTool({ name, arguments: { ...given } });
  return { client, use, problems, readOutput: () => output };
}

test('an agent over stdio imports our suite, runs it against /mcp and reads that it passed', async () => {
  const ask = projectCaller(service, tenant);
  const saved = await ask('POST', 'servers', {
    name: 'Proofmark',
    enabled: true,
    transportType: 'http',
    url: `${service.baseUrl}/mcp`,
    headers: { Authorization: `Bearer ${tenant.key}` },
  });
  expect(saved.status, saved.text).toBe(201);
  const { client, use, problems, readOutput } = await connectOverStdio({
    PROOFMARK_URL: service.baseUrl,
    PROOFMARK_API_KEY: tenant.key,
  });
  try {
    expect((await client.listTools()).tools).toHaveLength(mcpTools().size);
    const [project] = (await use('listProjects')).structuredContent.items;
    const { id: projectId } = project;
    const servers = (await use('listProjectServers', { projectId })).structuredContent.items;
    const own = servers.find(({ name }: { name: string }) => name === 'Proofmark');
    const ids = { projectId, serverId: own.id };
    const report = (await use('runDoctor', ids)).structuredContent;
    expect(report.checks.tools).toMatchObject({ status: 'ok' });
    const inner = await use('callTool', { ...ids, toolName: 'getMe' });
    expect(inner.structuredContent.structuredContent.email).toBe('owner@acme.example');
    const content = readFileSync(new URL('suite.yaml', import.meta.url), 'utf8');
    const { suiteId } = (await use('importEvalSuite', { projectId, content })).structuredContent;
    const { runId } = (await use('createEvalRun', { projectId, suiteId })).structuredContent;
    await expect
      .poll(async () => (await use('getEvalRun', { projectId, runId })).structuredContent.status)
      .toBe('completed');
    const summary = await use('getEvalRunDecisionSummary', { projectId, runId });
    expect(summary.structuredContent, summary.content[0].text).toMatchObject({ verdict: 'passed' });
    expect(problems, 'only the protocol is on standard output').toEqual([]);
    expect(readOutput()).not.toContain(tenant.key);
  } finally {
    await client.close();
  }
});

test('a service that cannot be reached is a tool error; the tools are listed all the same', async () => {
  const { client, use } = await connectOverStdio({
    PROOFMARK_URL: 'http://127.0.0.1:9',
    PROOFMARK_API_KEY: 'sk_canary',
  });
  try {
    expect((await client.listTools()).tools).not.toEqual([]);
    const result = await use('callTool', { projectId: 'p', serverId: 's', toolName: 't' });
    expect(result.isError).toBe(true);
    expect(JSON.parse(result.content[0].text)).toMatchObject({
      code: 'SERVICE_UNREACHABLE',
      nextAction: expect.stringContaining('running'),
    });
    expect(JSON.stringify(result)).not.toContain('sk_canary');
  } finally {
    await client.close();
  }
});
