import { randomBytes } from 'node:crypto';
import { call, type TestAnswer } from './test-service.ts';

export interface Reporter {
  ingest(path: string, body: unknown, as?: { key?: string; project?: string }): Promise<TestAnswer>;
  read(path: string): Promise<TestAnswer>;
}

export function createReporter(
  { baseUrl }: { readonly baseUrl: string },
  tenant: { readonly key: string; readonly projectId: string },
): Reporter {
  const projects = `${baseUrl}/api/v1/projects`;
  return {
    ingest: (path, body, { key = tenant.key, project = tenant.projectId } = {}) =>
      call(`${projects}/${project}/eval-ingest/${path}`, { method: 'POST', key, body }),
    read: (path) => call(`${projects}/${tenant.projectId}/${path}`, { key: tenant.key }),
  };
}

export function unique(name: string): string {
  return `${name}-${randomBytes(5).toString('hex')}`;
}

export const passing = { caseTitle: 'adds numbers', passed: true };

export const failing = {
  caseTitle: 'weather',
  passed: false,
  query: 'What is the weather in Rome?',
  expectedToolCalls: [{ toolName: 'get_weather', arguments: { city: 'Rome' } }],
  actualToolCalls: [{ toolName: 'get_time', arguments: {} }],
  error: 'The model called get_time.',
  model: 'small-1',
  provider: 'local',
  durationMs: 120,
  tokens: { input: 10, total: 25 },
  trace: { messages: [{ role: 'user', content: 'What is the weather in Rome?' }], spans: [] },
};
