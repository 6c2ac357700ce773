import fc from 'fast-check';
import { ClientConfig, harnesses } from '../../domain/src/clients/client-config.ts';

const id = fc.constantFrom('srv_a', 'srv_b', 'srv_c', 'srv_B', 'srv_é');
const ids = fc.array(id, { maxLength: 6 });
const open = fc.dictionary(
  fc.string({ minLength: 1, maxLength: 3 }).filter((key) => key !== '__proto__'),
  fc.jsonValue({ maxDepth: 2 }),
  { maxKeys: 3 },
);
const headers = fc.dictionary(
  fc.constantFrom('X-A', 'X-B', 'Accept-Language'),
  fc.constantFrom('1', '2'),
);
const timeout = fc.integer({ min: 1, max: 600_000 });

export const anyConfig: fc.Arbitrary<ClientConfig> = fc
  .record(
    {
      hostStyle: fc.constantFrom('', 'plain'),
      modelId: fc.constantFrom('proofmark/lexical-1', 'a/b'),
      systemPrompt: fc.constantFrom('', 'Help.'),
      temperature: fc.constantFrom(0, 0.5, 1),
      topP: fc.constantFrom(0.1, 1),
      maxTokens: fc.constantFrom(1, 500),
      seed: fc.constantFrom(0, 7),
      reasoningEffort: fc.constantFrom('low', 'high'),
      requireToolApproval: fc.boolean(),
      parallelToolCalls: fc.boolean(),
      connectionDefaults: fc.record({ headers, requestTimeout: timeout }, { requiredKeys: [] }),
      clientCapabilities: open,
      hostContext: open,
      serverIds: ids,
      optionalServerIds: ids,
      progressiveToolDiscovery: fc.boolean(),
      respectToolVisibility: fc.boolean(),
      harness: fc.constantFrom(...harnesses),
      computer: fc.constantFrom(null, { kind: 'personal' }, { kind: 'personal', workdir: '/w' }),
      builtInToolIds: ids,
      skillSelection: fc.oneof(
        fc.constant({ mode: 'all-visible' }),
        ids.map((skillIds) => ({ mode: 'explicit', skillIds })),
      ),
      hostCapabilitiesOverride: open,
      chatUiOverride: open,
      mcpProfile: fc.record(
        {
          profileVersion: fc.constant(1),
          paginationTraversal: fc.constantFrom('full', 'firstPageOnly'),
          resourceLinks: fc.constantFrom('read', 'ignore'),
          mcpProtocolVersion: fc.constantFrom('auto', '2025-06-18'),
        },
        { requiredKeys: ['profileVersion'] },
      ),
      serverConnectionOverrides: fc.dictionary(
        id,
        fc.record(
          { headersOverride: headers, requestTimeoutOverride: timeout },
          { requiredKeys: [] },
        ),
        { maxKeys: 3 },
      ),
    },
    { requiredKeys: ['modelId', 'clientCapabilities', 'hostContext'] },
  )
  .map((config) => ClientConfig.parse(JSON.parse(JSON.stringify(config))));
