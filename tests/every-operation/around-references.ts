import { hostedModel } from '@proofmark/harness/launcher.ts';
import { unique } from '@proofmark/harness/reporter.ts';
import type { TestService } from '@proofmark/harness/test-service.ts';
import type { Tenant } from '@proofmark/harness/two-tenants.ts';
import type { Reference } from './id-fields.ts';

const prompt = [{ id: 'ask', kind: 'prompt', prompt: 'Hello' }];
const calls = (id: string) => [
  {
    id: 'call',
    kind: 'toolCall',
    serverName: 'Sample',
    serverId: id,
    toolName: 'echo',
    arguments: {},
  },
];

type Inline = (service: TestService, mine: Tenant, more: object) => object | Promise<object>;

export function aroundReferences(inline: Inline): Record<string, Reference> {
  return Object.fromEntries(
    ['before', 'after'].flatMap((part) => Object.entries(ofPart(part, inline))),
  );
}

function ofPart(part: string, inline: Inline): Record<string, Reference> {
  const suite = (mine: Tenant) => ({
    name: unique('Suite'),
    serverIds: [mine.serverId],
    model: 'a/b',
  });
  const tests = (id?: string) => [
    {
      title: 'One',
      steps: prompt,
      model: hostedModel,
      ...(id !== undefined && { [part]: calls(id) }),
    },
  ];
  const settings = (id: string) => ({ settings: { [part]: calls(id) } });
  const naming = (body: Reference['body']): Reference => ({
    id: (_service, tenant) => tenant.serverId,
    body,
  });
  return {
    [`createEvalSuite settings.${part}[].serverId`]: naming((_s, mine, id) => ({
      ...suite(mine),
      tests: tests(),
      ...settings(id),
    })),
    [`createEvalSuite tests[].${part}[].serverId`]: naming((_s, mine, id) => ({
      ...suite(mine),
      tests: tests(id),
    })),
    [`updateEvalSuite settings.${part}[].serverId`]: naming((_s, _m, id) => settings(id)),
    [`createEvalCase ${part}[].serverId`]: naming((_s, _m, id) => ({
      title: unique('One'),
      steps: prompt,
      [part]: calls(id),
    })),
    [`updateEvalCase ${part}[].serverId`]: naming((_s, _m, id) => ({ [part]: calls(id) })),
    [`createEvalRun tests[].${part}[].serverId`]: naming((service, mine, id) =>
      inline(service, mine, { tests: tests(id) }),
    ),
  };
}
